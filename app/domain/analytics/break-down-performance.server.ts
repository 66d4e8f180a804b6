import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Dimension, PerformanceSort, SortOrder } from "./analytics.ts";
import { type BreakdownGroup, type Cell, fillMatrix, shareCents, type TopValues } from "./breakdown-matrix.ts";
import { sumDelivery } from "./compare-totals.server.ts";
import { summedRow } from "./delivery-metrics.ts";
import { deliverySource } from "./delivery-source.server.ts";
import { addSums, type ExactSums, noSums, toExactSums } from "./exact-sums.ts";
import { maxBreakdownFacts, rejectTooManyFacts } from "./facts-limit.server.ts";
import { rowName, withPerformanceDefaults } from "./list-performance.server.ts";
import { topQuery, topRow } from "./performance-query.server.ts";
import type { Period } from "./period.ts";

export type BreakdownRequest = {
  period: Period;
  filters?: AnalyticsFilters;
  group: Dimension;
  split: Dimension;
  sort?: PerformanceSort;
  order?: SortOrder;
  /** How many facts may be summed for it, without a limit for what nobody waits for. */
  maxFacts?: number;
};

/**
 * Breaks delivery down by two dimensions. Each dimension lists its highest values by the sort column (by spend when
 * sorted by name), and sums the rest as others. Parts add up to their group, and groups to the totals, to the cent;
 * `count` is the number of all values of the first dimension. Throws `invalid_input` for a pair whose facts are too
 * many to be summed.
 */
export async function breakDownPerformance(
  ctx: ReadCtx<TenantActor>,
  { limits, maxFacts = maxBreakdownFacts, ...asked }: BreakdownRequest & { limits: { groups: number; parts: number } },
): Promise<{ groups: BreakdownGroup[]; count: number }> {
  const { group, split } = asked;
  const request = { ...withPerformanceDefaults(asked), group, split };
  await rejectLargeBreakdown(ctx, request, maxFacts);
  const outer = await readTop(ctx, { ...request, dimension: request.group, limit: limits.groups });
  const inner = await readTop(ctx, { ...request, dimension: request.split, limit: limits.parts });
  if (outer.values.length === 0) return { groups: [], count: 0 };
  const cells = await readCells(ctx, { ...request, outer, inner });
  const total = sumOfValues(outer) ?? sumOfValues(inner) ?? toExactSums(await sumDelivery(ctx, request));
  return { groups: shareCents(fillMatrix({ outer, inner, cells, total }), { total, ...request }), count: outer.count };
}

type Request = Required<Omit<BreakdownRequest, "maxFacts">>;

/** Reads the highest values of one dimension. */
async function readTop(
  ctx: ReadCtx<TenantActor>,
  { dimension, limit, ...request }: Request & { dimension: Dimension; limit: number },
): Promise<TopValues> {
  const sort = request.sort === "name" ? "spend" : request.sort;
  const rows = await queryRows(ctx.db, topRow, topQuery(ctx, { ...request, dimension, sort, limit }));
  const values = rows.map((row) => ({
    key: row.key,
    name: rowName(dimension, row),
    counterparty: row.note,
    isOthers: false,
    sums: toExactSums(row),
  }));
  return { values, count: Number(rows[0]?.rows ?? 0), dimension };
}

/** Returns the sum of a dimension's values, which is the total when all of them are listed. */
function sumOfValues({ values, count }: TopValues): ExactSums | undefined {
  if (count > values.length) return undefined;
  return values.reduce((total, { sums }) => addSums(total, sums), noSums);
}

const cellRow = summedRow
  .pick({
    impressions: true,
    clicks: true,
    conversions: true,
    spend_micros: true,
    revenue_micros: true,
    earned_units: true,
  })
  .extend({ key: z.string().nullable(), split_key: z.string().nullable() });

/** Reads what each listed value of one dimension has in common with each of the other. */
async function readCells(
  ctx: ReadCtx<TenantActor>,
  { outer, inner, ...request }: Request & { outer: TopValues; inner: TopValues },
): Promise<Cell[]> {
  const campaigns = listedKeys(request.group === "campaign" ? outer : request.split === "campaign" ? inner : undefined);
  const source = deliverySource(ctx, campaigns ? { ...request, campaigns } : request);
  const rows = await queryRows(
    ctx.db,
    cellRow,
    sql`
      select key::text, split_key::text, sum(impressions)::text as impressions, sum(clicks)::text as clicks, sum(conversions)::text as conversions,
        sum(spend_micros)::text as spend_micros, sum(revenue_micros)::text as revenue_micros, sum(earned_units)::text as earned_units
      from (${source}) part where ${isListed(sql`key`, outer)} and ${isListed(sql`split_key`, inner)} group by 1, 2`,
  );
  return rows.map(({ key, split_key: splitKey, ...row }) => ({ key, splitKey, sums: toExactSums(row) }));
}

/** Returns the keys of the listed values of a dimension that has more. */
function listedKeys(top: TopValues | undefined): string[] | undefined {
  if (!top || top.count <= top.values.length) return undefined;
  return top.values.flatMap(({ key }) => key ?? []);
}

function isListed(column: SQL, { values, count }: TopValues): SQL {
  if (count <= values.length) return sql`true`;
  const keys = values.flatMap(({ key }) => key ?? []);
  const hasNull = values.some(({ key }) => key === null);
  const listed = keys.length > 0 ? sql`${column} in ${keys}` : sql`false`;
  return hasNull ? sql`(${listed} or ${column} is null)` : listed;
}

/**
 * Throws `invalid_input` when one of the two dimensions, or the pair, is of too many facts. A pair with campaigns reads
 * the facts of those that are listed alone.
 */
export async function rejectLargeBreakdown(
  ctx: ReadCtx<TenantActor>,
  { period, filters = {}, group, split }: BreakdownRequest,
  maxFacts: number = maxBreakdownFacts,
): Promise<void> {
  if (maxFacts === Number.POSITIVE_INFINITY) return;
  for (const one of [group, split]) await rejectTooManyFacts(ctx, { period, filters, group: one }, maxFacts);
  if (group === "campaign" || split === "campaign") return;
  await rejectTooManyFacts(ctx, { period, filters, group, split }, maxFacts);
}
