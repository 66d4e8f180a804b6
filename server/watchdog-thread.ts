import { writeSync } from "node:fs";
import { type Debugger, type InspectorNotification, Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { writeLogLine } from "./log-line.ts";
import { beatEveryMs, beatFd } from "./supervisor-messages.ts";
import type { WatchdogData } from "./watchdog.ts";

/** Sees from a thread of its own that the event loop of the process stands still (docs/decisions/0053). */
const { turns, warnMs, killMs, logLevel, supervised }: WatchdogData = workerData;

/** A debugger that is switched on hears of each script first, which takes a while on a busy machine. */
const lookMs = 2_500;
const lookEveryMs = Math.max(20, Math.min(200, (warnMs || killMs) / 4));
let [seen, movedAt, lookedAt] = [0, performance.now(), performance.now()];
let warned = false;
let stopLooking = () => {};

setInterval(() => {
  const now = performance.now();
  const turn = Atomics.load(turns, 0);
  // The time in which the whole process did not run says nothing about its event loop.
  if (turn !== seen) stopLooking();
  if (turn !== seen || now - lookedAt > 4 * lookEveryMs + 100) {
    if (warned && turn !== seen) report("warn", "event loop goes on", now - movedAt);
    [seen, movedAt, warned] = [turn, now, false];
  }
  lookedAt = now;
  const blockedMs = now - movedAt;
  if (warnMs > 0 && blockedMs >= warnMs && !warned) {
    warned = true;
    stopLooking = pauseAndLook((stack) => report("warn", "event loop blocked", blockedMs, stack));
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
      // The supervisor was killed, and the event loop cannot notice when it is blocked. (A full pipe is EAGAIN.)
      if (error instanceof Error && Reflect.get(error, "code") === "EPIPE") process.kill(process.pid, "SIGKILL");
    }
  }, beatEveryMs);
}

function report(level: "warn" | "error", message: string, milliseconds: number, stack?: string): void {
  writeLogLine(logLevel, { level, message, fields: { milliseconds: Math.round(milliseconds), stack } });
}

/**
 * Tells once where the main thread stands, by its debugger, or undefined when it does not come to a stop, as within one native
 * call. Returns the end of it.
 */
function pauseAndLook(tell: (stack: string | undefined) => void): () => void {
  const session = new Session();
  const scripts = new Map<string, string>();
  const timer = setTimeout(() => finish(undefined), lookMs);
  let finished = false;
  function finish(stack: string | undefined): void {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    tell(stack);
    // Lets the main thread run on.
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
