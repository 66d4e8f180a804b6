import { readFileSync } from "node:fs";

/**
 * Runs `work` and returns the longest turn of the event loop meanwhile, in milliseconds. On Linux that is this thread's
 * CPU time, which a busy machine does not lengthen; elsewhere it is wall-clock time.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let maxTurnMs = 0;
  let before = threadMs();
  const measure = () => {
    const now = threadMs();
    maxTurnMs = Math.max(maxTurnMs, now - before);
    before = now;
  };
  let sampling = true;
  const sample = () => {
    measure();
    if (sampling) setTimeout(sample, 1);
  };
  setTimeout(sample, 1);
  try {
    const result = await work();
    measure();
    return { result, longestMs: maxTurnMs };
  } finally {
    sampling = false;
  }
}

/** Returns the CPU time of the process's main thread so far, in milliseconds. */
function threadMs(): number {
  if (process.platform !== "linux") return performance.now();
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}
