import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, PublisherActor, TenantActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { inSnapshot } from "../transaction.server.ts";
import { compareTotals } from "./compare-totals.server.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import { listDailyPerformance, type Performance } from "./list-performance.server.ts";
import { type Period, previousPeriod, resolvePeriod } from "./period.ts";

export type WithDay<Shown> = Shown & { day: CalendarDate };

/** The totals of a period and of the period before, and the metrics of each of their days. */
export type ComparedDays<Shown> = {
  totals: Shown;
  previous: Shown;
  days: WithDay<Shown>[];
  previousDays: WithDay<Shown>[];
};

/**
 * Compares the default period (the last 30 days including today) with the same number of days before. `shown` selects
 * the metrics that the reader may see.
 */
export async function compareDays<Shown extends object>(
  ctx: Ctx<TenantActor>,
  select: (figures: DeliveryMetrics) => Shown,
): Promise<ComparedDays<Shown>> {
  const period = defaultPeriod(ctx);
  const before = previousPeriod(period);
  return inSnapshot(ctx, async (tx) => {
    const { totals, previous } = await compareTotals(tx, { period });
    return {
      totals: select(totals),
      previous: select(previous),
      days: withDays(period, await listDailyPerformance(tx, { period }), select),
      previousDays: withDays(before, await listDailyPerformance(tx, { period: before }), select),
    };
  });
}

/** Lists the daily metrics of the default period for one of the publisher's audiences. */
export async function listAudienceDailyMetrics(ctx: Ctx<PublisherActor>, audience: AudienceId) {
  const period = defaultPeriod(ctx);
  const rows = await listDailyPerformance(ctx, { period, filters: { audience } });
  return withDays(period, rows, ({ impressions, earnedCents }) => ({ impressions, earnedCents }));
}

function defaultPeriod(ctx: Ctx): Period {
  return resolvePeriod({}, calendarDateOf(ctx.clock()));
}

function withDays<Shown extends object>(
  { from }: Period,
  rows: readonly Performance[],
  select: (figures: DeliveryMetrics) => Shown,
): WithDay<Shown>[] {
  return rows.map((row, index) => ({ day: addDays(from, index), ...select(row) }));
}
