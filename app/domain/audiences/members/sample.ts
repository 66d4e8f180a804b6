import { type Block, compareHashes, hashBytes } from "./block.ts";

/** Hashes from `from` on and below `to`. */
export type HashRange = { from: Buffer; to: Buffer };

const prefixes = 2 ** 32;

/** So large a share of all hashes that there can be, from a place on (0 to below 1). */
export function rangeOf(share: number, place: number): HashRange {
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

/** Of a billion samples one may say something wrong: ln(2 / 1e-9). */
const doubt = 21.4;

/**
 * How many there are at least and at most of which a sample of this share holds `seen`: hashes fall into it as if by lot.
 * By Bernstein's inequality: P(|seen − n·share| ≥ t) ≤ 2·exp(−t² / (2·(n·share + t/3))), solved for n (decision 21).
 */
export function boundsOf(seen: number, share: number): { least: number; most: number } {
  const third = doubt / 3;
  const above = seen + third + doubt;
  const most = above + Math.sqrt(above ** 2 - (seen + third) ** 2 + third ** 2);
  const below = seen - third + doubt;
  const least = seen <= 2 * third ? 0 : below - Math.sqrt(below ** 2 - (seen - third) ** 2 + third ** 2);
  return { least: Math.max(0, Math.floor(least / share)), most: Math.ceil(most / share) };
}
