import { type Block, hashBytes } from "../block.ts";

/** A block in an object: where its ciphertext is, and what it has. */
export type IndexEntry = { first: Buffer; start: number; length: number; hashes: number; variants: number };

/** The first hash, the length of the ciphertext (4 bytes), the number of hashes (2), and that of variants (2). */
const entryBytes = hashBytes + 8;

/** Returns the index of an object that consists of these blocks. */
export function toBlockIndex(blocks: readonly { block: Block; sealed: Uint8Array }[]): Buffer {
  const index = Buffer.alloc(blocks.length * entryBytes);
  for (const [number, { block, sealed }] of blocks.entries()) {
    const at = number * entryBytes;
    index.set(block.hashes.subarray(0, hashBytes), at);
    index.writeUInt32BE(sealed.length, at + hashBytes);
    index.writeUInt16BE(block.flags.length, at + hashBytes + 4);
    index.writeUInt16BE(block.canonicalHashes.length / hashBytes, at + hashBytes + 6);
  }
  return index;
}

export function parseBlockIndex(index: Buffer): IndexEntry[] {
  let start = 0;
  return Array.from({ length: index.length / entryBytes }, (_, number) => {
    const at = number * entryBytes;
    const length = index.readUInt32BE(at + hashBytes);
    const entry = {
      first: index.subarray(at, at + hashBytes),
      start,
      length,
      hashes: index.readUInt16BE(at + hashBytes + 4),
      variants: index.readUInt16BE(at + hashBytes + 6),
    };
    start += length;
    return entry;
  });
}

/** Returns the number of the block that contains a hash or would contain it. */
export function findEntry(entries: readonly Pick<IndexEntry, "first">[], hash: Uint8Array): number {
  let found = 0;
  for (let [low, high] = [1, entries.length - 1]; low <= high; ) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry && Buffer.compare(entry.first, hash) <= 0) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

/**
 * Groups ascending numbers of blocks to runs that are read together, also when a few blocks between them are not
 * needed.
 */
export function toRuns(
  numbers: readonly number[],
  { maxGap, maxLength }: { maxGap: number; maxLength: number },
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number - last.to <= maxGap && number < last.from + maxLength) last.to = number + 1;
    else runs.push({ from: number, to: number + 1 });
  }
  return runs;
}
