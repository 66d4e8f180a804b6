import type { Block } from "./block.ts";

type Lease = { unstored: number; onReturn: (memory: ArrayBuffer) => void };

const leases = new WeakMap<ArrayBufferLike, Lease>();

/**
 * Lends the memory of a block, which holds nothing else. `onReturn` gets it back once all of its hashes are stored from
 * that memory. It never does when some of them were copied first, or are not stored at all.
 */
export function lendMemory({ hashes }: Block, onReturn: Lease["onReturn"]): void {
  leases.set(hashes.buffer, { unstored: hashes.length, onReturn });
}

/** Returns the memory of stored blocks, which nobody reads any more, to its lender. */
export function returnMemory(stored: readonly Block[]): void {
  for (const { hashes } of stored) {
    const memory = hashes.buffer;
    const lease = leases.get(memory);
    if (!lease) continue;
    lease.unstored -= hashes.length;
    if (lease.unstored > 0) continue;
    leases.delete(memory);
    if (memory instanceof ArrayBuffer) lease.onReturn(memory);
  }
}
