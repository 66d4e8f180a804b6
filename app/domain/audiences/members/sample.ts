import { type Block, compareHashes, hashBytes } from "./block.ts";

/** Hashes from `from` on and below `to`. */
export type HashRange = { from: Buffer; to: Buffer };

const prefixes = 2 ** 32;

/** So large a share of all hashes that there can be, the lowest ones or from a place on (0 to below 1). */
export function rangeOf(share: number, place = 0): HashRange {
  const width = Math.round(share * prefixes);
  const from = Math.floor(place * (prefixes - width));
  return { from: atPrefix(from), to: atPrefix(from + width) };
}

function atPrefix(prefix: number): Buffer {
  const hash = Buffer.alloc(hashBytes, prefix === prefixes ? 255 : 0);
  if (prefix < prefixes) hash.writeUInt32BE(prefix);
  return hash;
}

/** Where the hashes of a block begin and end that are in the range. */
export function within({ hashes, tags }: Block, { from, to }: HashRange): { start: number; end: number } {
  return { start: lowerBound(hashes, tags.length, from), end: lowerBound(hashes, tags.length, to) };
}

function lowerBound(hashes: Uint8Array, count: number, wanted: Uint8Array): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareHashes(hashes, middle * hashBytes, wanted, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
