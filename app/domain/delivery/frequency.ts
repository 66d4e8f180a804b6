/**
 * How often somebody who was reached on a day saw an ad on that day, on average: of the facts whose source says how many people
 * it reached. Null where none does. Pure.
 */
export function frequencyOf({ reach, reachedImpressions }: { reach: number; reachedImpressions: number }) {
  return reach === 0 ? null : reachedImpressions / reach;
}
