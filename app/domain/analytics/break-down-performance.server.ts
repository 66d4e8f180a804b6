import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import type { AnalyticsFilters, Dimension, PerformanceSort, SortOrder } from "./analytics.ts";
import { sumDelivery } from "./compare-totals.server.ts";
import { type DeliveryMetrics, summedRow, toDeliveryMetrics } from "./delivery-metrics.ts";
import { deliverySource, readsFacts } from "./delivery-source.server.ts";
import { allocateSums, type ExactSums, noSums, subtractSums, toExactSums } from "./exact-sums.ts";
import { rowName, withPerformanceDefaults } from "./list-performance.server.ts";
import { groupingPlurals } from "./performance-columns.ts";
import { performanceQuery, performanceRow } from "./performance-query.server.ts";
import type { Period } from "./period.ts";

export type BreakdownRequest = {
  period: Period;
  filters?: AnalyticsFilters;
  group: Dimension;
  split: Dimension;
  sort?: PerformanceSort;
  order?: SortOrder;
};

/** A value of a dimension: `others` are all beyond those that are listed. */
export type BreakdownRow = DeliveryMetrics & {
  key: string | null;
  name: string;
  counterparty: string | null;
  isOthers: boolean;
};

/** A row with its rows of the second dimension, which add up to it. */
export type BreakdownGroup = BreakdownRow & { parts: BreakdownRow[] };

/**
 * Breaks delivery down by two dimensions. Each dimension lists its highest values by the sort column (by spend when
 * sorted by name), and sums the rest as others. Parts add up to their group, and groups to the totals, to the cent;
 * `count` is the number of all values of the first dimension. Throws `invalid_input` for a pair whose facts are too many
 * to be summed.
 */
export async function breakDownPerformance(
  ctx: Ctx<TenantActor>,
  { limits, ...asked }: BreakdownRequest & { limits: { groups: number; parts: number } },
): Promise<{ groups: BreakdownGroup[]; count: number }> {
  const { group, split } = asked;
  const request = { ...withPerformanceDefaults(asked), group, split };
  const outer = await readTop(ctx, { ...request, dimension: request.group, limit: limits.groups });
  const inner = await readTop(ctx, { ...request, dimension: request.split, limit: limits.parts });
  if (outer.values.length === 0) return { groups: [], count: 0 };
  await rejectTooManyFacts(ctx, request);
  const cells = await readCells(ctx, { ...request, outer, inner });
  const total = toExactSums(await sumDelivery(ctx, request));
  return { groups: shareCents(fillMatrix({ outer, inner, cells, total }), { total, ...request }), count: outer.count };
}

type Value = { key: string | null; name: string; counterparty: string | null; isOthers: boolean; sums: ExactSums };
type Top = { values: Value[]; count: number; dimension: Dimension };
type Group = Value & { parts: Value[] };
type Request = Required<BreakdownRequest>;

/** Reads the highest values of one dimension. */
async function readTop(
  ctx: Ctx<TenantActor>,
  { dimension, limit, ...request }: Request & { dimension: Dimension; limit: number },
): Promise<Top> {
  const sort = request.sort === "name" ? "spend" : request.sort;
  const query = performanceQuery(ctx, { ...request, group: dimension, sort, order: "descending" });
  const rows = await queryRows(ctx.db, performanceRow, sql`${query} limit ${limit}`);
  const values = rows.map((row) => ({
    key: row.key,
    name: rowName(dimension, row),
    counterparty: row.note,
    isOthers: false,
    sums: toExactSums(row),
  }));
  return { values, count: Number(rows[0]?.rows ?? 0), dimension };
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
type Cell = z.output<typeof cellRow>;

/** Reads what each listed value of one dimension has in common with each of the other. */
function readCells(
  ctx: Ctx<TenantActor>,
  { outer, inner, ...request }: Request & { outer: Top; inner: Top },
): Promise<Cell[]> {
  return queryRows(
    ctx.db,
    cellRow,
    sql`
      select key::text, split_key::text, sum(impressions)::text as impressions, sum(clicks)::text as clicks, sum(conversions)::text as conversions,
        sum(spend_micros)::text as spend_micros, sum(revenue_micros)::text as revenue_micros, sum(earned_units)::text as earned_units
      from (${deliverySource(ctx, request)}) part where ${isListed(sql`key`, outer)} and ${isListed(sql`split_key`, inner)} group by 1, 2`,
  );
}

function isListed(column: SQL, { values, count }: Top): SQL {
  if (count <= values.length) return sql`true`;
  const keys = values.flatMap(({ key }) => key ?? []);
  const hasNull = values.some(({ key }) => key === null);
  const listed = keys.length > 0 ? sql`${column} in ${keys}` : sql`false`;
  return hasNull ? sql`(${listed} or ${column} is null)` : listed;
}

/** Fills in what the others have: what is left of each value, and of the total. */
function fillMatrix({
  outer,
  inner,
  cells,
  total,
}: {
  outer: Top;
  inner: Top;
  cells: readonly Cell[];
  total: ExactSums;
}): Group[] {
  const cellOf = new Map(cells.map((cell) => [cellKey(cell.key, cell.split_key), toExactSums(cell)]));
  const restOf = (whole: ExactSums, parts: readonly Value[]) =>
    parts.reduce((rest, { sums }) => subtractSums(rest, sums), whole);
  const others = ({ dimension }: Top, sums: ExactSums): Value => ({
    key: null,
    name: `Other ${groupingPlurals[dimension].toLowerCase()}`,
    counterparty: null,
    isOthers: true,
    sums,
  });
  const withOthers = (parts: readonly Value[], whole: ExactSums) =>
    inner.count > inner.values.length ? [...parts, others(inner, restOf(whole, parts))] : [...parts];
  const groups = outer.values.map((group) => {
    const parts = inner.values.map((part) => ({
      ...part,
      sums: cellOf.get(cellKey(group.key, part.key)) ?? noSums,
    }));
    return { ...group, parts: withOthers(parts, group.sums) };
  });
  if (outer.count <= outer.values.length) return groups;
  const left = restOf(total, groups);
  const parts = inner.values.map((part, place) => ({
    ...part,
    sums: groups.reduce((rest, group) => subtractSums(rest, group.parts[place]?.sums ?? noSums), part.sums),
  }));
  return [...groups, { ...others(outer, left), parts: withOthers(parts, left) }];
}

function cellKey(key: string | null, splitKey: string | null): string {
  return JSON.stringify([key, splitKey]);
}

/** Shares the whole cents of the total among the groups, and those of each group among its parts; and sorts both. */
function shareCents(
  groups: readonly Group[],
  { total, sort, order }: Request & { total: ExactSums },
): BreakdownGroup[] {
  const found = allocateSums(
    groups.map(({ sums }) => sums),
    total,
  );
  return sortValues(
    groups.map((group, place) => {
      const row = found[place] ?? { ...noSums, spendCents: 0n, revenueCents: 0n, earnedCents: 0n };
      const present = group.parts.filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0n));
      const parts = allocateSums(
        present.map(({ sums }) => sums),
        group.sums,
        row,
      );
      return {
        ...group,
        row: toRow(group, row),
        parts: sortValues(
          present.map((part, index) => ({ ...part, row: toRow(part, parts[index] ?? row) })),
          { sort, order },
        ).map((part) => part.row),
      };
    }),
    { sort, order },
  ).map(({ row, parts }) => ({ ...row, parts }));
}

function toRow(
  { key, name, counterparty, isOthers }: Value,
  sums: ReturnType<typeof allocateSums>[number],
): BreakdownRow {
  const metrics = toDeliveryMetrics({
    impressions: String(sums.impressions),
    clicks: String(sums.clicks),
    conversions: String(sums.conversions),
    spend_micros: String(sums.spendMicros),
    revenue_micros: String(sums.revenueMicros),
    earned_units: String(sums.earnedUnits),
    spend_cents: String(sums.spendCents),
    revenue_cents: String(sums.revenueCents),
    earned_cents: String(sums.earnedCents),
  });
  return { key, name, counterparty, isOthers, ...metrics };
}

/** Sorts as the single table does; the others come last. */
function sortValues<T extends Value>(
  values: readonly T[],
  { sort, order }: { sort: PerformanceSort; order: SortOrder },
): T[] {
  const direction = order === "ascending" ? 1 : -1;
  const byKey = (one: T, other: T) => ((one.key ?? "~") < (other.key ?? "~") ? -1 : 1);
  return [...values].sort((one, other) => {
    if (one.isOthers !== other.isOthers) return one.isOthers ? 1 : -1;
    if (sort === "name") return direction * (one.name.localeCompare(other.name, "en") || byKey(one, other));
    const [a, b] = [sortValue(one.sums, sort), sortValue(other.sums, sort)];
    if (a === null || b === null) return a === b ? byKey(one, other) : a === null ? 1 : -1;
    return direction * (a - b) || byKey(one, other);
  });
}

function sortValue(sums: ExactSums, sort: Exclude<PerformanceSort, "name">): number | null {
  const [impressions, spend, revenue] = [
    Number(sums.impressions),
    Number(sums.spendMicros),
    Number(sums.revenueMicros),
  ];
  switch (sort) {
    case "impressions":
      return impressions;
    case "clicks":
      return Number(sums.clicks);
    case "conversions":
      return Number(sums.conversions);
    case "ctr":
      return impressions === 0 ? 0 : Number(sums.clicks) / impressions;
    case "spend":
      return spend;
    case "revenue":
      return revenue;
    case "roas":
      return spend === 0 ? null : revenue / spend;
    case "earnings":
      return Number(sums.earnedUnits);
  }
}

/** The most facts that a breakdown sums, about a third of a second's work. */
const maxFacts = 300_000;
const tooManyFacts = "There is too much delivery to split it this way. Choose a campaign or a shorter period.";

/**
 * Throws `invalid_input` when a pair without a roll-up and without campaigns, of which only the listed ones are read,
 * has more facts than may be summed for a page. Stops counting there.
 */
async function rejectTooManyFacts(ctx: Ctx<TenantActor>, request: Request): Promise<void> {
  const isBounded = request.filters.campaign || request.group === "campaign" || request.split === "campaign";
  if (isBounded || !readsFacts(ctx, request)) return;
  const [found] = await queryRows(
    ctx.db,
    z.object({ facts: z.coerce.number() }),
    sql`select count(*) as facts from (select 1 from (${deliverySource(ctx, request)}) part limit ${maxFacts + 1}) counted`,
  );
  if ((found?.facts ?? 0) > maxFacts) throw invalidInput({ split_by: [tooManyFacts] }, tooManyFacts);
}
