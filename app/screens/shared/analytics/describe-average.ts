import type { Interval } from "#app/domain/analytics/analytics.ts";
import type { PartialEnds } from "#app/ui/chart/geometry.ts";
import { pluralize } from "#app/ui/format.ts";

/** Defines a metric's average below its chart, with what it leaves out of the period. */
export function describeAverage(
  metric: string,
  {
    isRatio = false,
    interval,
    averagedCount,
    partialEnds,
  }: {
    isRatio: boolean | undefined;
    interval: Interval;
    /** The number of complete intervals. */
    averagedCount: number;
    partialEnds: PartialEnds;
  },
): string {
  const complete = `the ${pluralize(averagedCount, `complete ${interval}`)} of this period`;
  const average = isRatio
    ? `Average: ${metric} over ${complete}, from their sums.`
    : `Average: ${metric} per ${interval}, over ${complete}.`;
  if (!partialEnds.first && !partialEnds.last) return average;
  // The only partial day is today.
  return `${average} ${interval === "day" ? "Today isn't counted." : `Partial ${interval}s are dashed and not counted.`}`;
}
