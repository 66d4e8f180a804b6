import { minimumAudienceSize, toTwoDigits } from "../audience.ts";
import { peopleAtLevel, unite } from "./people-sample.ts";
import type { PeopleRange } from "./published-size.server.ts";

/**
 * An audience of a selection: its size with noise, its published size, and a normally distributed number for this
 * selection.
 */
export type ReachPart = {
  size: number;
  published: PeopleRange;
  level: number;
  people: Buffer;
  noise: number;
};

/** The maximum number of people compared for one estimate; bounds its cost. */
const maxCompared = 2 ** 17;

/**
 * Estimates how many distinct people several audiences have together, as a range. Only published sizes are used, so
 * that no selection reveals more about them. Beyond that a selection reveals only which share of each audience is in
 * the larger ones: with noise, in tenths, and only from the minimum audience size on (docs/decisions/0021). `parts` are
 * sorted by size, largest first. The range is never below the largest audience's range nor above the sum of all. Pure.
 */
export function reachRange(parts: readonly ReachPart[], noisePeople: number): PeopleRange {
  const level = commonLevel(parts);
  const scale = 2 ** level;
  let united: Float64Array = new Float64Array(0);
  let [from, to, sum] = [0, 0, 0];
  for (const part of parts) {
    const { all, shared } = unite(united, peopleAtLevel(part.people, level, part.size));
    united = all;
    const counted = (shared + noisePeople * part.noise) * scale;
    const isFirst = sum === 0;
    // An overlap below a few times the noise is not reliable and counts as none.
    const overlap = isFirst || counted < Math.max(minimumAudienceSize, 2 * noisePeople * scale) ? 0 : counted;
    const tenths = Math.min(10, (10 * overlap) / part.size);
    from += (part.published.from * (10 - Math.ceil(tenths))) / 10;
    to += (part.published.to * (10 - Math.floor(tenths))) / 10;
    sum += part.published.to;
  }
  return { from: toTwoDigits(from, Math.floor), to: Math.min(sum, toTwoDigits(to, Math.ceil)) };
}

/** Returns the smallest level at which all samples are comparable and not too large. */
function commonLevel(parts: readonly ReachPart[]): number {
  const people = parts.reduce((sum, { size }) => sum + size, 0);
  const affordable = Math.ceil(Math.log2(people / maxCompared));
  return Math.max(0, affordable, ...parts.map(({ level }) => level));
}
