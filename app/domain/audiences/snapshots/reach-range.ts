import { minimumAudienceSize, toTwoDigits } from "../audience.ts";
import { peopleAtLevel, unite } from "./people-sample.ts";
import type { PeopleRange } from "./published-size.server.ts";

/** An audience of a choice: its size with noise, the step that others are told, and a normal number of its own for this choice. */
export type ReachPart = {
  size: number;
  published: PeopleRange;
  level: number;
  people: Buffer;
  noise: number;
};

/** People of all audiences together that are compared at most: it bounds what a question costs. */
const maxCompared = 2 ** 17;

/**
 * Between how many people several audiences have together, each counted once. Of sizes nothing is used but what is published, so
 * that no choice tells more about them; what a choice tells beside is which part of each audience is in the larger ones, with
 * noise, in tenths, and only from the minimum on (docs/decisions/0021). Largest first; the range is never below that of the
 * largest nor above that of the sum. Pure.
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
    // Less than a few times the noise is no overlap that anybody could rely on.
    const overlap = isFirst || counted < Math.max(minimumAudienceSize, 2 * noisePeople * scale) ? 0 : counted;
    const tenths = Math.min(10, (10 * overlap) / part.size);
    from += (part.published.from * (10 - Math.ceil(tenths))) / 10;
    to += (part.published.to * (10 - Math.floor(tenths))) / 10;
    sum += part.published.to;
  }
  return { from: toTwoDigits(from, Math.floor), to: Math.min(sum, toTwoDigits(to, Math.ceil)) };
}

/** At which all samples are comparable, and not too many people are in them. */
function commonLevel(parts: readonly ReachPart[]): number {
  const people = parts.reduce((sum, { size }) => sum + size, 0);
  const affordable = Math.ceil(Math.log2(people / maxCompared));
  return Math.max(0, affordable, ...parts.map(({ level }) => level));
}
