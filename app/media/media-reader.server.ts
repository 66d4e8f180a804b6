import { type ChildProcess, fork } from "node:child_process";
import { pathToFileURL } from "node:url";
import { builtModule } from "#app/built-module.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { sharedState } from "#app/shared-state.ts";
import { MediaError, mediaErrorMessages } from "./media.ts";
import type { MediaInfo, MediaRequest, MediaResponse } from "./media-protocol.ts";

/** The largest accepted file needs two seconds. */
const readTimeoutMs = 30_000;
const idleTimeoutMs = 60_000;

/** Processing failed for a reason unrelated to the file, such as a full disk. */
export class MediaProcessingError extends Error {
  override name = "MediaProcessingError";
  readonly code: string;

  constructor(code: string) {
    super(`The file could not be read (${code})`);
    this.code = code;
  }
}

/** The process that reads media, and the turn of the newest request. `next` is the ID of the next one. */
type Reader = { turn: Promise<unknown>; child?: ChildProcess; idle?: NodeJS.Timeout; next: number };

const mediaReader = sharedState("media", (): Reader => ({ turn: Promise.resolve(), next: 0 }));

/**
 * Cleans an image or a video in a separate process, one at a time. Throws MediaError with a message for the uploader,
 * also when the file crashes the process or exceeds the time limit.
 */
export function processMedia(files: Omit<MediaRequest, "id">): Promise<MediaInfo> {
  const state = mediaReader();
  const read = state.turn.then(() => requestRead(state, files));
  state.turn = read.catch(() => undefined);
  return read;
}

async function requestRead(state: Reader, files: Omit<MediaRequest, "id">): Promise<MediaInfo> {
  clearTimeout(state.idle);
  state.child ??= await startFor(state);
  const { child } = state;
  child.channel?.ref();
  const response = await sendRequest(child, { ...files, id: state.next++ });
  child.channel?.unref();
  if (!response) state.child = undefined;
  state.idle = setTimeout(() => stop(state), idleTimeoutMs).unref();
  if (response?.kind === "failed") throw new MediaProcessingError(response.code);
  if (response?.kind !== "read") throw new MediaError(response?.message ?? mediaErrorMessages.damaged);
  const { id: _, kind: __, ...read } = response;
  return read;
}

/** Returns the response; undefined when the process exited, or was killed because it exceeded the time limit. */
function sendRequest(child: ChildProcess, request: MediaRequest): Promise<MediaResponse | undefined> {
  return new Promise((resolve) => {
    const clock = setTimeout(() => child.kill("SIGKILL"), readTimeoutMs);
    const end = (response?: MediaResponse) => {
      clearTimeout(clock);
      child.off("message", end);
      child.off("exit", onExit);
      resolve(response);
    };
    const onExit = () => end();
    child.on("message", end);
    child.on("exit", onExit);
    child.send(request, (error) => error && end());
  });
}

/** A process that ends while it has nothing to do is not the next file's. */
async function startFor(state: Reader): Promise<ChildProcess> {
  const child = await start();
  child.once("exit", () => {
    if (state.child === child) state.child = undefined;
  });
  return child;
}

/** Starts the process without environment variables or handles of this one. Throws when it does not start. */
async function start(): Promise<ChildProcess> {
  const { module, flags } = program();
  const child = fork(module, [], {
    execArgv: ["--max-old-space-size=256", ...flags],
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  const isReady = await new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    child.once("exit", () => resolve(false));
    child.once("error", () => resolve(false));
  });
  if (!isReady) throw new MediaProcessingError("the process that reads it did not start");
  return child;
}

/** The built module, or the source with the loader of TypeScript. */
function program(): { module: string; flags: string[] } {
  const source = "app/media/media-worker.server.ts";
  const built = builtModule(source);
  if (built) return { module: built, flags: [] };
  const loader = pathToFileURL(projectFile("node_modules/tsx/dist/loader.mjs")).href;
  return { module: projectFile(source), flags: ["--import", loader] };
}

function stop(state: Reader): void {
  const { child } = state;
  state.child = undefined;
  child?.kill("SIGKILL");
}
