import { changeUpload, listUploads } from "./upload-list.ts";
import { isUploadState, type UploadState } from "./upload-state.ts";

const pause = 1_500;
const longestPause = 30_000;

/** Shows how an upload stands, and asks again until it is read to its end. */
export function followUpload(key: number, state: UploadState): void {
  if (state.status === "failed") {
    const problem = { message: state.error ?? "Nothing was uploaded.", again: state.again };
    changeUpload(key, { phase: "failed", problem, state });
  } else if (state.status === "succeeded") {
    changeUpload(key, { phase: "done", state });
  } else {
    changeUpload(key, { phase: "reading", state });
    setTimeout(() => void ask(key, state.report), pause);
  }
}

/** The work goes on without us: when nobody answers, it is asked again, ever more seldom. */
async function ask(key: number, report: string, failures = 0): Promise<void> {
  if (!listUploads().some((upload) => upload.key === key)) return;
  const state = await stateOf(report);
  if (state) followUpload(key, state);
  else setTimeout(() => void ask(key, report, failures + 1), Math.min(pause * 2 ** failures, longestPause));
}

async function stateOf(report: string): Promise<UploadState | undefined> {
  try {
    const answer = await fetch(`${report}/state`);
    const state: unknown = await answer.json();
    return isUploadState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}
