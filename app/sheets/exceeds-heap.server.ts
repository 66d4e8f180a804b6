import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** In milliseconds. The heap is read more often above half of its limit. */
const pauses = { far: 100, near: 10 };

type Observable = Worker & { getHeapStatistics(): Promise<{ used_heap_size: number }> };

/**
 * Whether Node reads the heap of a thread while it works: 22.16 and later. Where it does, the limit that V8 has itself
 * is higher, because on Node 24 a thread that exceeds that one can end the whole process.
 */
export const readsHeaps = "getHeapStatistics" in Worker.prototype;

/**
 * Reads the thread's heap while it is busy. Resolves with true when it exceeds `megabytes`, with false when it is no
 * longer busy.
 */
export async function exceedsHeap(worker: Worker, megabytes: number, isBusy: () => boolean): Promise<boolean> {
  const limit = megabytes * 1024 * 1024;
  while (isBusy()) {
    // A thread that has not started or has ended has no statistics.
    const heap = await (worker as Observable).getHeapStatistics().catch(() => undefined);
    const used = heap?.used_heap_size ?? 0;
    if (used > limit) return true;
    await pause(used > limit / 2 ? pauses.near : pauses.far, undefined, { ref: false });
  }
  return false;
}
