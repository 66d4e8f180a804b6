import { Worker } from "node:worker_threads";
import { projectFile } from "#app/project-file.server.ts";
import { log } from "#app/web/log.server.ts";
import type { LogSettings } from "#server/http/log-line.ts";

export type WatchdogData = LogSettings & {
  /** Counts the turns of the event loop. */
  turns: Int32Array;
  warnMs: number;
  killMs: number;
  /** Whether a supervisor expects heartbeats. */
  supervised: boolean;
};

const turnEveryMs = 50;

/**
 * Starts the thread that logs the stack when the event loop is blocked for `warnMs`, and ends the process after
 * `killMs`, so that its supervisor restarts it; 0 means never. Requires the build.
 */
export function startWatchdog(settings: Omit<WatchdogData, "turns">): void {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(turns, 0, 1), turnEveryMs).unref();
  const workerData: WatchdogData = { ...settings, turns };
  const start = () => {
    const thread = new Worker(projectFile("build/server/threads/watchdog-thread.js"), {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    });
    thread.unref();
    thread.on("error", (error) => log.error("watchdog failed", { error }));
    thread.on("exit", () => void setTimeout(start, 1_000).unref());
  };
  start();
}
