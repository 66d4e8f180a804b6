import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { beatEveryMs, beatFd, type ProgramMessage, type SupervisorMessage } from "./supervisor-messages.ts";

export type ProgramExit = { code: number | null; signal: NodeJS.Signals | null; wasReady: boolean; readyForMs: number };

type Options = {
  /** The path of the built module. */
  module: string;
  onMessage: (message: ProgramMessage) => void;
  onIncident: (
    incident: "program_not_started" | "program_continued" | "program_hangs" | "program_killed",
    error?: Error,
  ) => void;
};

export type SupervisedProgram = {
  ended: Promise<ProgramExit>;
  send: (message: SupervisorMessage) => void;
  /** Sends SIGTERM, and SIGKILL if the program still runs after `boundMs`. */
  stop: (boundMs: number) => void;
  /** Sends SIGINT. */
  hurry: () => void;
  kill: () => void;
};

/** A process without a heartbeat for this long may have been suspended. */
const silentMs = 4 * beatEveryMs;

/** Starts a program of the build as its own process, with this process's flags, and monitors its heartbeat. */
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
  const ended = new Promise<ProgramExit>((resolve) => {
    function end(code: number | null, signal: NodeJS.Signals | null): void {
      const readyForMs = readyAt === undefined ? 0 : performance.now() - readyAt;
      resolve({ code, signal, wasReady: readyAt !== undefined, readyForMs });
    }
    child.on("error", (error) => {
      // Of a program that runs it is about a message or a signal, whose receiver may just have ended.
      if (child.pid !== undefined) return;
      onIncident("program_not_started", error);
      end(1, null);
    });
    child.on("exit", end);
  });
  ended.then(() => stopWatching());
  return {
    ended,
    send: (message) => void child.send(message, () => undefined),
    stop(boundMs) {
      child.kill("SIGTERM");
      // A suspended process would receive the signal only later.
      child.kill("SIGCONT");
      const late = setTimeout(() => {
        onIncident("program_killed");
        child.kill("SIGKILL");
      }, boundMs);
      ended.then(() => clearTimeout(late));
    },
    hurry: () => void child.kill("SIGINT"),
    kill: () => void child.kill("SIGKILL"),
  };
}

type Watching = { hangMs: number; onIncident: Options["onIncident"] };

/**
 * Resumes a silent process, which may have been suspended by SIGSTOP and is otherwise unaffected, and kills one that
 * stays silent. Monitoring begins when the process is ready, because startup may take any time.
 */
function watchBeats(child: ChildProcess, { hangMs, onIncident }: Watching): () => void {
  let [beatAt, checkedAt, isSilent] = [performance.now(), performance.now(), false];
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
    // Time in which this process itself did not run says nothing about the program.
    if (now - checkedAt > silentMs) beatAt = now;
    checkedAt = now;
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
