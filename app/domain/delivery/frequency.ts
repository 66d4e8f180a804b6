/**
 * Returns the average number of impressions per person and day, over the facts whose source reports reach; null without
 * such facts. Pure.
 */
export function frequencyOf({ reach, reachedImpressions }: { reach: number; reachedImpressions: number }) {
  return reach === 0 ? null : reachedImpressions / reach;
}
