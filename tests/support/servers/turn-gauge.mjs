// Preloaded into the real server by NODE_OPTIONS: on SIGUSR2 it prints the longest turn of the event loop since the
// last time.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Returns the CPU time of the main thread, which a busy machine does not lengthen; outside Linux, wall-clock time. */
function threadMs() {
  if (process.platform !== "linux") return performance.now();
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

if (isMainThread) {
  let longestMs = 0;
  let before = threadMs();
  setInterval(() => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }, 1).unref();
  process.on("SIGUSR2", () => {
    process.stderr.write(`longest turn ${longestMs.toFixed(1)} ms\n`);
    longestMs = 0;
  });
}
