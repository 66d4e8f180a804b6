import { isUploadProgress, type UploadProgress } from "./upload-progress.ts";
import { getUploads, updateUpload } from "./upload-store.ts";

const pause = 1_500;
const maxPollDelayMs = 30_000;

/** Shows an upload's progress and polls until the upload is processed. */
export function pollUpload(key: number, state: UploadProgress): void {
  if (state.status === "failed") {
    const problem = { message: state.error ?? "The upload failed. Nothing was uploaded.", retryable: state.retryable };
    updateUpload(key, { phase: "failed", problem, state });
  } else if (state.status === "succeeded") {
    updateUpload(key, { phase: "done", state });
  } else {
    updateUpload(key, { phase: "reading", state });
    setTimeout(() => void ask(key, state.report), pause);
  }
}

/**
 * The server keeps processing without this page. After a failed poll the next one waits twice as long, up to 30
 * seconds.
 */
async function ask(key: number, report: string, failures = 0): Promise<void> {
  if (!getUploads().some((upload) => upload.key === key)) return;
  const state = await fetchProgress(report);
  if (state) pollUpload(key, state);
  else setTimeout(() => void ask(key, report, failures + 1), Math.min(pause * 2 ** failures, maxPollDelayMs));
}

async function fetchProgress(report: string): Promise<UploadProgress | undefined> {
  try {
    const answer = await fetch(`${report}/state`);
    const state: unknown = await answer.json();
    return isUploadProgress(state) ? state : undefined;
  } catch {
    return undefined;
  }
}
