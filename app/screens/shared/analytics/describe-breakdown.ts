import type { Dimension, Grouping, PerformanceSort } from "#app/domain/analytics/analytics.ts";
import { breakdownLimits } from "#app/domain/analytics/breakdown-limits.ts";
import { groupingPlurals } from "#app/domain/analytics/performance-columns.ts";
import { formatCount } from "#app/ui/format.ts";

/** Says which rows of a breakdown are listed by themselves: the parts of every group are the same values. */
export function describeBreakdown({
  group,
  split,
  count,
  sort = "spend",
}: {
  group: Grouping;
  split: Dimension;
  /** The number of all values of the first dimension. */
  count: number;
  sort?: PerformanceSort | undefined;
}): string {
  const { screen, file } = breakdownLimits;
  const by = sort === "name" ? "spend" : sort === "ctr" || sort === "roas" ? sort.toUpperCase() : sort;
  const groups = groupingPlurals[group].toLowerCase();
  const parts = groupingPlurals[split].toLowerCase();
  const listed =
    count > screen.groups
      ? `The ${screen.groups} ${groups} with the highest ${by} of ${formatCount(count)}`
      : `All ${groups}`;
  return `${listed}, each by up to ${screen.parts} ${parts}: those with the highest ${by} in the whole table. The others are summed. Files have up to ${file.groups} and ${file.parts}.`;
}
