import { type Block, compareHashes, hashBytes } from "./block.ts";

/** The hashes from `from` on and below `to`. */
export type HashRange = { from: Buffer; to: Buffer };

const prefixes = 2 ** 32;

/**
 * Returns the range of a share of all possible hashes: the lowest ones, or those at a relative position from 0 to below
 * 1.
 */
export function sampleHashRange(share: number, place = 0): HashRange {
  const width = Math.round(share * prefixes);
  const from = Math.floor(place * (prefixes - width));
  return { from: hashWithPrefix(from), to: hashWithPrefix(from + width) };
}

function hashWithPrefix(prefix: number): Buffer {
  const hash = Buffer.alloc(hashBytes, prefix === prefixes ? 255 : 0);
  if (prefix < prefixes) hash.writeUInt32BE(prefix);
  return hash;
}

/** Returns the index range of a block's hashes that are in the hash range. */
export function indexRange({ hashes, flags }: Block, { from, to }: HashRange): { start: number; end: number } {
  return { start: lowerBound(hashes, flags.length, from), end: lowerBound(hashes, flags.length, to) };
}

function lowerBound(hashes: Uint8Array, count: number, bound: Uint8Array): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareHashes(hashes, middle * hashBytes, bound, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
