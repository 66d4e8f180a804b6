import { type ChildProcess, fork } from "node:child_process";
import { pathToFileURL } from "node:url";
import { projectFile } from "#app/project-file.server.ts";
import { MediaError, refusals } from "./media.ts";
import type { MediaAnswer, MediaRequest, ReadMedia } from "./media-protocol.ts";

/** The largest file that is taken needs two seconds. In milliseconds. */
const patience = 30_000;
const idleFor = 60_000;

/** Reading failed for a reason that is not in the file: a full disk, for one. */
export class MediaReadingFailed extends Error {
  override name = "MediaReadingFailed";
  readonly code: string;

  constructor(code: string) {
    super(`The file could not be read (${code})`);
    this.code = code;
  }
}

/** On globalThis, because the server and the bundle that Remix builds each have their own copy of this module. */
const holderKey = Symbol.for("endcap.media");
type Holder = { turn: Promise<unknown>; child?: ChildProcess; idle?: NodeJS.Timeout; next: number };

function holder(): Holder {
  const held: Holder | undefined = Reflect.get(globalThis, holderKey);
  if (held) return held;
  const made: Holder = { turn: Promise.resolve(), next: 0 };
  Reflect.set(globalThis, holderKey, made);
  return made;
}

/**
 * Reads a picture or a film in a process of its own, one at a time, and writes it as it may be kept. Throws MediaError with
 * words for the person who sent it, also when the file ends the process or takes it too long.
 */
export function readMedia(files: Omit<MediaRequest, "id">): Promise<ReadMedia> {
  const held = holder();
  const read = held.turn.then(() => ask(held, files));
  held.turn = read.catch(() => undefined);
  return read;
}

async function ask(held: Holder, files: Omit<MediaRequest, "id">): Promise<ReadMedia> {
  clearTimeout(held.idle);
  held.child ??= await start();
  const { child } = held;
  child.channel?.ref();
  const answer = await answerOf(child, { ...files, id: held.next++ });
  child.channel?.unref();
  if (!answer) held.child = undefined;
  held.idle = setTimeout(() => stop(held), idleFor).unref();
  if (answer?.kind === "failed") throw new MediaReadingFailed(answer.code);
  if (answer?.kind !== "read") throw new MediaError(answer?.message ?? refusals.damaged);
  const { id: _, kind: __, ...read } = answer;
  return read;
}

/** Undefined when the process ended instead, or had to be ended. */
function answerOf(child: ChildProcess, request: MediaRequest): Promise<MediaAnswer | undefined> {
  return new Promise((resolve) => {
    const clock = setTimeout(() => child.kill("SIGKILL"), patience);
    const end = (answer?: MediaAnswer) => {
      clearTimeout(clock);
      child.off("message", end);
      child.off("exit", onExit);
      resolve(answer);
    };
    const onExit = () => end();
    child.on("message", end);
    child.on("exit", onExit);
    child.send(request, (error) => error && end());
  });
}

/** It knows nothing of this process: no environment, no handles. Throws when it cannot be started. */
async function start(): Promise<ChildProcess> {
  const loader = pathToFileURL(projectFile("node_modules/tsx/dist/loader.mjs")).href;
  const child = fork(projectFile("app/media/media-process.server.ts"), [], {
    execArgv: ["--max-old-space-size=256", "--import", loader],
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  const isReady = await new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    child.once("exit", () => resolve(false));
    child.once("error", () => resolve(false));
  });
  if (!isReady) throw new MediaReadingFailed("the process that reads it did not start");
  return child;
}

function stop(held: Holder): void {
  const { child } = held;
  held.child = undefined;
  child?.kill("SIGKILL");
}
