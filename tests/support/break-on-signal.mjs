import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";

const asleep = new Int32Array(new SharedArrayBuffer(4));
/** Blocks the thread for a moment without the processor, which the tests beside this one need. */
const block = () => Atomics.wait(asleep, 0, 0, 5);

/** Preloaded into the product's processes by NODE_OPTIONS: each signal breaks the process in a different way. */
if (isMainThread) {
  process.on("SIGUSR2", function standStill() {
    for (;;) block();
  });
  process.on("SIGXFSZ", function standStillForAWhile() {
    for (const until = Date.now() + 1_500; Date.now() < until; ) block();
  });
  process.on("SIGVTALRM", function throwAstray() {
    setImmediate(() => Promise.reject(new Error("nobody awaits this")));
    setImmediate(() => {
      throw new Error("nobody catches this");
    });
  });
  process.on("SIGXCPU", async function fillMemory() {
    for (const kept = []; ; await sleep(1)) kept.push(Array(2_000_000).fill(kept.length + 0.5));
  });
}
