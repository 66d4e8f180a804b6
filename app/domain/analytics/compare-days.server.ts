import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, PublisherActor, TenantActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { inSnapshot } from "../transaction.server.ts";
import { compareTotals } from "./compare-totals.server.ts";
import type { Figures } from "./figures.ts";
import { listDays, type Performance } from "./list-performance.server.ts";
import { type Period, periodOf, previousPeriod } from "./period.ts";

export type OfDay<Shown> = Shown & { day: CalendarDate };

/** The totals of a period and of the one before, and those of each of their days. */
export type ComparedDays<Shown> = {
  totals: Shown;
  previous: Shown;
  days: OfDay<Shown>[];
  previousDays: OfDay<Shown>[];
};

/**
 * The usual period (the last 30 days, today among them) beside as many days before. `shown` takes the figures that are for
 * the reader to see.
 */
export async function compareDays<Shown extends object>(
  ctx: Ctx<TenantActor>,
  shown: (figures: Figures) => Shown,
): Promise<ComparedDays<Shown>> {
  const period = usualPeriod(ctx);
  const before = previousPeriod(period);
  return inSnapshot(ctx, async (tx) => {
    const { totals, previous } = await compareTotals(tx, { period });
    return {
      totals: shown(totals),
      previous: shown(previous),
      days: withDays(period, await listDays(tx, { period }), shown),
      previousDays: withDays(before, await listDays(tx, { period: before }), shown),
    };
  });
}

/** The same days of one of the publisher's audiences. */
export async function listAudienceDays(ctx: Ctx<PublisherActor>, audience: AudienceId) {
  const period = usualPeriod(ctx);
  const rows = await listDays(ctx, { period, filters: { audience } });
  return withDays(period, rows, ({ impressions, earnedCents }) => ({ impressions, earnedCents }));
}

function usualPeriod(ctx: Ctx): Period {
  return periodOf({}, calendarDateOf(ctx.clock()));
}

function withDays<Shown extends object>(
  { from }: Period,
  rows: readonly Performance[],
  shown: (figures: Figures) => Shown,
): OfDay<Shown>[] {
  return rows.map((row, index) => ({ day: addDays(from, index), ...shown(row) }));
}
