import { sql } from "drizzle-orm";
import { queryRows } from "#db/query-rows.server.ts";
import { type Channel, channelLabels, channels } from "../campaigns/campaign.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Grouping, PerformanceSort, SortOrder } from "./analytics.ts";
import { type Figures, figuresOf } from "./figures.ts";
import { type PerformanceRow, performanceQuery, performanceRow } from "./performance-query.server.ts";
import type { Period } from "./period.ts";

export type Performance = Figures & {
  /** The campaign's or audience's id, the channel, the category or the day; null where a campaign has no products. */
  key: string | null;
  name: string;
  /** The other side's name, where there is one. */
  note: string | null;
};

export type PerformanceRequest = {
  period: Period;
  filters?: AnalyticsFilters;
  group: Grouping;
  sort?: PerformanceSort;
  order?: SortOrder;
};

/**
 * What the account delivered in the period, by the grouping: most spend first unless sorted otherwise, days in their order. `count` is
 * that of all rows. All rows together are the totals, to the cent.
 */
export async function listPerformance(
  ctx: Ctx<TenantActor>,
  { limit, offset = 0, ...asked }: PerformanceRequest & { limit: number; offset?: number },
): Promise<{ rows: Performance[]; count: number }> {
  const rows = await queryRows(
    ctx.db,
    performanceRow,
    sql`${performanceQuery(ctx, withDefaults(asked))} limit ${limit} offset ${offset}`,
  );
  return { rows: rows.map((row) => performanceOf(asked.group, row)), count: Number(rows[0]?.rows ?? 0) };
}

/** Every day of the period, in order: for charts. */
export async function listDays(
  ctx: Ctx<TenantActor>,
  asked: { period: Period; filters?: AnalyticsFilters },
): Promise<Performance[]> {
  return (await listPerformance(ctx, { ...asked, group: "day", limit: 1_000 })).rows;
}

export function withDefaults({ filters = {}, sort, order, ...asked }: PerformanceRequest) {
  const byName = { sort: "name", order: "ascending" } as const;
  const usual = asked.group === "day" ? byName : ({ sort: "spend", order: "descending" } as const);
  const ordered = sort
    ? { sort, order: order ?? (sort === "name" ? byName.order : "descending") }
    : { ...usual, ...(order && { order }) };
  return { ...asked, ...ordered, filters };
}

export function performanceOf(group: Grouping, row: PerformanceRow): Performance {
  return { key: row.key, name: nameOf(group, row), note: row.note, ...figuresOf(row) };
}

function nameOf(group: Grouping, { key, name }: PerformanceRow): string {
  if (group === "channel")
    return channelLabels[channels.find((channel): channel is Channel => channel === key) ?? "dv360"];
  return name ?? key ?? noCategory;
}

/** What campaigns without products are called where rows are categories. */
const noCategory = "No products";
