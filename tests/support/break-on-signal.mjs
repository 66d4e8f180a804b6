import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";

/** Loaded into the product's processes by NODE_OPTIONS: each signal breaks the process in its own way. */
if (isMainThread) {
  process.on("SIGUSR2", function standStill() {
    for (;;) Math.random();
  });
  process.on("SIGXFSZ", function standStillForAWhile() {
    for (const until = Date.now() + 1_500; Date.now() < until; ) Math.random();
  });
  process.on("SIGXCPU", async function fillMemory() {
    for (const kept = []; ; await sleep(1)) kept.push(Array(2_000_000).fill(kept.length + 0.5));
  });
}
