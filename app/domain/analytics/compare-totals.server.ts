import { sql } from "drizzle-orm";
import { queryRows } from "#db/query-rows.server.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters } from "./analytics.ts";
import { type DeliveryMetrics, type SummedRow, summedRow, toDeliveryMetrics } from "./delivery-metrics.ts";
import { deliverySource } from "./delivery-source.server.ts";
import { type Period, previousPeriod } from "./period.ts";

export type ComparedTotals = { totals: DeliveryMetrics; previous: DeliveryMetrics };

/**
 * Sums what the account delivered in the period and in the same number of days before. Amounts are exact sums, rounded
 * down once.
 */
export async function compareTotals(
  ctx: ReadCtx<TenantActor>,
  { period, filters = {} }: { period: Period; filters?: AnalyticsFilters },
): Promise<ComparedTotals> {
  const totals = await sumDelivery(ctx, { period, filters });
  const previous = await sumDelivery(ctx, { period: previousPeriod(period), filters });
  return { totals: toDeliveryMetrics(totals), previous: toDeliveryMetrics(previous) };
}

/** Returns the exact sums of what the account delivered in the period, and their whole cents. */
export async function sumDelivery(
  ctx: ReadCtx<TenantActor>,
  query: { period: Period; filters: AnalyticsFilters },
): Promise<SummedRow> {
  const [row] = await queryRows(
    ctx.db,
    summedRow,
    sql`
      with summed as (
        select coalesce(sum(impressions), 0) as impressions, coalesce(sum(clicks), 0) as clicks, coalesce(sum(conversions), 0) as conversions,
          coalesce(sum(spend_micros), 0) as spend_micros, coalesce(sum(revenue_micros), 0) as revenue_micros, coalesce(sum(earned_units), 0) as earned_units
        from (${deliverySource(ctx, { period: query.period, filters: query.filters, group: "all" })}) part
      )
      select impressions::text, clicks::text, conversions::text, spend_micros::text, revenue_micros::text, earned_units::text,
        div(spend_micros, 10000)::text as spend_cents, div(revenue_micros, 10000)::text as revenue_cents, div(earned_units, 100000000)::text as earned_cents
      from summed`,
  );
  if (!row) throw new Error("summing delivery returned no row");
  return row;
}
