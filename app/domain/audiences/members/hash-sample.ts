import { type Block, hashBytes } from "./block.ts";
import { lowerBound } from "./block-slices.ts";

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
export function indexRange(block: Block, { from, to }: HashRange): { start: number; end: number } {
  return { start: lowerBound(block, from, 0, 0), end: lowerBound(block, to, 0, 0) };
}
