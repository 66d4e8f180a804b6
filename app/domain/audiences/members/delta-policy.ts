import type { Deltas } from "./deltas.ts";

/** All blocks of a smaller audience are written again, which takes no more than half a megabyte. */
export const minPeopleForDeltas = 10_000;
/** Each look-up reads one block of each. */
const maxDeltas = 4;
/** A delta is merged with the newest ones that are at most this many times as large. */
const foldRatio = 2;
/** The part of the base, in hashes, from which deltas are merged into it. */
const mergeShare = 1 / 8;
/** Whoever reads an audience has its deltas in memory: 17 MB of hashes. */
const maxHashes = 524_288;
/** For how many days at most removed hashes are in the base, until all of its blocks are written again. */
export const maxRemovedDays = 30;

/** How many of an audience's newest deltas are merged with one of so many hashes, so that at most four remain. */
export function countFolded(list: Deltas["list"], hashes: number): number {
  if (list.length < maxDeltas) return 0;
  let [folded, sum] = [0, hashes];
  for (const delta of list.toReversed()) {
    if (folded > 0 && delta.hashes > foldRatio * sum) break;
    sum += delta.hashes;
    folded += 1;
  }
  return folded;
}

/** The number of hashes from which deltas over a base of so many are merged into it. */
export function maxDeltaHashes(baseHashes: number): number {
  return Math.min(maxHashes, Math.floor(baseHashes * mergeShare));
}

export function deltaHashes({ list }: Pick<Deltas, "list">): number {
  return list.reduce((sum, { hashes }) => sum + hashes, 0);
}

/** Whether deltas are to be merged into their base now. */
export function isMergeDue(deltas: Deltas, now: Date): boolean {
  if (deltaHashes(deltas) > maxDeltaHashes(deltas.baseHashes)) return true;
  const before = now.getTime() - maxRemovedDays * 24 * 3_600_000;
  return deltas.list.some(({ removedSince }) => removedSince !== null && Date.parse(removedSince) < before);
}
