import { queryRows } from "#db/query-rows.server.ts";
import { addDays, calendarDateOf, daysInclusive } from "../calendar-date.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Interval } from "./analytics.ts";
import { addSummedRows, averageMetrics, type DeliveryMetrics, toDeliveryMetrics } from "./delivery-metrics.ts";
import { intervalsIn, type PeriodInterval } from "./interval.ts";
import { type PerformanceRow, performanceQuery, performanceRow } from "./performance-query.server.ts";
import { type Period, previousPeriod } from "./period.ts";

export type IntervalQuery = { period: Period; filters?: AnalyticsFilters; interval: Interval };

/** The metrics of a day, week or month of a period. */
export type IntervalMetrics = PeriodInterval & DeliveryMetrics;

/** The account's own average: the metrics per complete interval, of which there are `count`. */
export type AverageMetrics = DeliveryMetrics & { count: number };

/**
 * Lists every interval of the period in chronological order, with their average: what the complete ones delivered
 * together, divided by their number; its ratios are those of their sums, so that CTR is weighed by impressions. Null
 * without a complete interval.
 */
export async function listIntervals(
  ctx: ReadCtx<TenantActor>,
  query: IntervalQuery,
): Promise<{ intervals: IntervalMetrics[]; average: AverageMetrics | null }> {
  const today = calendarDateOf(ctx.clock());
  const rows = await readIntervals(ctx, { ...query, filters: query.filters ?? {} });
  const intervals = intervalsIn(query.period, query.interval, today);
  const complete = rows.filter((_, index) => intervals[index]?.isPartial === false);
  return {
    intervals: withMetrics(intervals, rows),
    average:
      complete.length === 0
        ? null
        : {
            ...averageMetrics(toDeliveryMetrics(addSummedRows(complete)), complete.length),
            count: complete.length,
          },
  };
}

/**
 * Lists the intervals of the period before: each has as many days as that of the period in its place, so that the two
 * can be compared. A week of them need not begin on a Monday.
 */
export async function listPreviousIntervals(
  ctx: ReadCtx<TenantActor>,
  query: IntervalQuery,
): Promise<IntervalMetrics[]> {
  const { period, interval } = query;
  const before = previousPeriod(period);
  const shiftDays = daysInclusive(period.from, period.to);
  const rows = await readIntervals(ctx, { ...query, filters: query.filters ?? {}, period: before, shiftDays });
  const places = intervalsIn(period, interval, period.to).map(({ from, to }) => {
    const moved = { from: addDays(from, -shiftDays), to: addDays(to, -shiftDays) };
    return { ...moved, start: moved.from, isPartial: false };
  });
  return withMetrics(places, rows);
}

function readIntervals(
  ctx: ReadCtx<TenantActor>,
  { interval, ...query }: Required<IntervalQuery> & { shiftDays?: number },
): Promise<PerformanceRow[]> {
  return queryRows(
    ctx.db,
    performanceRow,
    performanceQuery(ctx, { ...query, group: interval, sort: "name", order: "ascending" }),
  );
}

function withMetrics(places: readonly PeriodInterval[], rows: readonly PerformanceRow[]): IntervalMetrics[] {
  return places.flatMap((place, index) => {
    const row = rows[index];
    return row ? [{ ...place, ...toDeliveryMetrics(row) }] : [];
  });
}
