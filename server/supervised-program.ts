import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { beatEveryMs, beatFd, type ProgramMessage, type SupervisorMessage } from "./supervisor-messages.ts";

export type ProgramEnd = { code: number | null; signal: NodeJS.Signals | null; wasReady: boolean; readyForMs: number };

type Options = {
  /** The built module. */
  module: string;
  onMessage: (message: ProgramMessage) => void;
  onIncident: (incident: "program_continued" | "program_hangs" | "program_killed") => void;
};

export type SupervisedProgram = {
  ended: Promise<ProgramEnd>;
  send: (message: SupervisorMessage) => void;
  /** SIGTERM, and SIGKILL for one that is still there after `boundMs`. */
  stop: (boundMs: number) => void;
  kill: () => void;
};

/** Without a sign of life for so long, a process may have been stopped. */
const silentMs = 4 * beatEveryMs;

/** Starts a program of the build as a process of its own, with this process's flags, and watches its signs of life. */
export function startProgram({ module, onMessage, onIncident }: Options): SupervisedProgram {
  const child = spawn(process.execPath, [...process.execArgv, module], {
    stdio: ["inherit", "inherit", "inherit", "ipc", "pipe"],
  });
  let hangMs = 0;
  let readyAt: number | undefined;
  let stopWatching = () => {};
  child.on("message", (message: ProgramMessage) => {
    if (message.kind === "settings") hangMs = message.hangMs;
    if (message.kind === "ready") {
      readyAt = performance.now();
      stopWatching = watchBeats(child, { hangMs, onIncident });
    }
    onMessage(message);
  });
  const ended = new Promise<ProgramEnd>((resolve) => {
    function end(code: number | null, signal: NodeJS.Signals | null): void {
      const readyForMs = readyAt === undefined ? 0 : performance.now() - readyAt;
      resolve({ code, signal, wasReady: readyAt !== undefined, readyForMs });
    }
    child.on("error", () => end(1, null));
    child.on("exit", end);
  });
  ended.then(() => stopWatching());
  return {
    ended,
    send: (message) => void child.send(message, () => undefined),
    stop(boundMs) {
      child.kill("SIGTERM");
      // One that was stopped would take the signal only later.
      child.kill("SIGCONT");
      const late = setTimeout(() => {
        onIncident("program_killed");
        child.kill("SIGKILL");
      }, boundMs);
      ended.then(() => clearTimeout(late));
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

type Watching = { hangMs: number; onIncident: Options["onIncident"] };

/**
 * Lets a silent process run on, which may have been stopped (SIGSTOP) and else takes no harm, and kills one that stays silent.
 * Begins when it is ready: a start may take as long as it needs.
 */
function watchBeats(child: ChildProcess, { hangMs, onIncident }: Watching): () => void {
  let [beatAt, lookedAt, isSilent] = [performance.now(), performance.now(), false];
  const beats = child.stdio[beatFd];
  if (isReadable(beats)) {
    beats.on("error", () => undefined);
    beats.on("data", () => {
      if (isSilent) onIncident("program_continued");
      isSilent = false;
      beatAt = performance.now();
    });
  }
  const timer = setInterval(() => {
    const now = performance.now();
    // The time in which this process itself did not run says nothing about the program.
    if (now - lookedAt > silentMs) beatAt = now;
    lookedAt = now;
    if (now - beatAt < silentMs) return;
    isSilent = true;
    child.kill("SIGCONT");
    if (hangMs === 0 || now - beatAt < silentMs + hangMs) return;
    onIncident("program_hangs");
    child.kill("SIGKILL");
    beatAt = now;
  }, beatEveryMs);
  return () => clearInterval(timer);
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === "object" && stream !== null && "on" in stream;
}
