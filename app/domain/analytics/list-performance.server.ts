import { sql } from "drizzle-orm";
import { queryRows } from "#db/query-rows.server.ts";
import { displayCampaignName } from "../campaigns/campaign.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Grouping, PerformanceSort, SortOrder } from "./analytics.ts";
import { type DeliveryMetrics, toDeliveryMetrics } from "./delivery-metrics.ts";
import { defaultSort } from "./performance-columns.ts";
import { type PerformanceRow, performanceQuery, performanceRow } from "./performance-query.server.ts";
import type { Period } from "./period.ts";

export type Performance = DeliveryMetrics & {
  /**
   * The id of the campaign, audience or account, the channel, the category, or the first day of the day, week or month;
   * null for campaigns without products.
   */
  key: string | null;
  name: string;
  /** The name of the other side, if there is one. */
  counterparty: string | null;
};

export type PerformanceRequest = {
  period: Period;
  filters?: AnalyticsFilters;
  group: Grouping;
  sort?: PerformanceSort;
  order?: SortOrder;
};

/**
 * Lists what the account delivered in the period by the grouping: highest spend first by default, time in chronological
 * order. `count` is the number of all rows. All rows together add up to the totals, to the cent.
 */
export async function listPerformance(
  ctx: ReadCtx<TenantActor>,
  { limit, offset = 0, ...query }: PerformanceRequest & { limit: number; offset?: number },
): Promise<{ rows: Performance[]; count: number }> {
  const rows = await queryRows(
    ctx.db,
    performanceRow,
    sql`${performanceQuery(ctx, withPerformanceDefaults(query))} limit ${limit} offset ${offset}`,
  );
  return { rows: rows.map((row) => toPerformance(query.group, row)), count: Number(rows[0]?.rows ?? 0) };
}

/** Lists every day of the period in chronological order, for charts. */
export async function listDailyPerformance(
  ctx: ReadCtx<TenantActor>,
  query: { period: Period; filters?: AnalyticsFilters },
): Promise<Performance[]> {
  return (await listPerformance(ctx, { ...query, group: "day", limit: 1_000 })).rows;
}

export function withPerformanceDefaults({ filters = {}, sort, order, ...query }: PerformanceRequest) {
  const usual = defaultSort(query.group);
  const ordered = sort
    ? { sort, order: order ?? (sort === "name" ? "ascending" : "descending") }
    : { ...usual, ...(order && { order }) };
  return { ...query, ...ordered, filters };
}

export function toPerformance(group: Grouping, row: PerformanceRow): Performance {
  return { key: row.key, name: rowName(group, row), counterparty: row.note, ...toDeliveryMetrics(row) };
}

/**
 * Returns the name of a row: that of a day, week or month is its first day. An advertiser can clear the name of a
 * campaign that has delivered.
 */
export function rowName(group: Grouping, { key, name }: Pick<PerformanceRow, "key" | "name">): string {
  if (group === "campaign") return displayCampaignName(name ?? "");
  return name ?? key ?? noCategory;
}

/** The name of the row of campaigns without products when rows are categories. */
const noCategory = "No products";
