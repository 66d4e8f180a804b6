import { writeSync } from "node:fs";
import { type Debugger, type InspectorNotification, Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { writeLogLine } from "#server/http/log-line.ts";
import { beatEveryMs, beatFd } from "./supervisor-messages.ts";
import type { WatchdogData } from "./watchdog.ts";

/** Detects from its own thread that the process's event loop is blocked (docs/decisions/0053). */
const { turns, warnMs, killMs, supervised, ...logSettings }: WatchdogData = workerData;

/** Once enabled, the debugger first reports every script, which takes a while on a busy machine; in milliseconds. */
const lookMs = 2_500;
const lookEveryMs = Math.max(20, Math.min(200, (warnMs || killMs) / 4));
let [seen, movedAt, checkedAt] = [0, performance.now(), performance.now()];
let warned = false;
let stopLooking = () => {};

setInterval(() => {
  const now = performance.now();
  const turn = Atomics.load(turns, 0);
  // Time in which the whole process did not run says nothing about its event loop.
  if (turn !== seen) stopLooking();
  if (turn !== seen || now - checkedAt > 4 * lookEveryMs + 100) {
    if (warned && turn !== seen) report("warn", "event loop goes on", now - movedAt);
    [seen, movedAt, warned] = [turn, now, false];
  }
  checkedAt = now;
  const blockedMs = now - movedAt;
  if (warnMs > 0 && blockedMs >= warnMs && !warned) {
    warned = true;
    stopLooking = readMainStack((stack) => report("warn", "event loop blocked", blockedMs, stack));
  }
  if (killMs > 0 && blockedMs >= killMs) {
    report("error", "event loop blocked for too long: the process ends", blockedMs);
    process.kill(process.pid, "SIGKILL");
  }
}, lookEveryMs);

if (supervised) {
  setInterval(() => {
    try {
      writeSync(beatFd, ".");
    } catch (error) {
      // The supervisor was killed, which a blocked event loop cannot notice. (A full pipe is EAGAIN.)
      if (error instanceof Error && Reflect.get(error, "code") === "EPIPE") process.kill(process.pid, "SIGKILL");
    }
  }, beatEveryMs);
}

function report(level: "warn" | "error", message: string, milliseconds: number, stack?: string): void {
  writeLogLine(logSettings, { level, message, fields: { milliseconds: Math.round(milliseconds), stack } });
}

/**
 * Pauses the main thread by its debugger and passes its stack to `onStack` once, or undefined if the thread does not
 * pause, as in a native call. Returns a function that ends the session.
 */
function readMainStack(onStack: (stack: string | undefined) => void): () => void {
  const session = new Session();
  const scripts = new Map<string, string>();
  const timer = setTimeout(() => finish(undefined), lookMs);
  let finished = false;
  function finish(stack: string | undefined): void {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    onStack(stack);
    // Resumes the main thread.
    session.disconnect();
  }
  session.connectToMainThread();
  session.on("Debugger.scriptParsed", ({ params }) => void scripts.set(params.scriptId, params.url));
  session.on("Debugger.paused", ({ params }: InspectorNotification<Debugger.PausedEventDataType>) => {
    const frames = params.callFrames.slice(0, 12).map(({ functionName, location }) => {
      const file = scripts.get(location.scriptId)?.replace(/^.*\/(?=(?:build|node_modules)\/)/, "") ?? "";
      return `    at ${functionName || "<anonymous>"} (${file}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`;
    });
    finish(frames.join("\n"));
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  return () => finish(undefined);
}
