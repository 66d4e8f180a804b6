import type { Dimension, PerformanceSort, SortOrder } from "./analytics.ts";
import { type DeliveryMetrics, toDeliveryMetrics } from "./delivery-metrics.ts";
import { allocateSums, type ExactSums, noSums, subtractSums } from "./exact-sums.ts";
import { groupingPlurals } from "./performance-columns.ts";

/**
 * The matrix of a breakdown by two dimensions: its rows from exact sums, with the rest as others, and rounded. Pure.
 */

/** A value of a dimension: `others` are all beyond those that are listed. */
export type BreakdownRow = DeliveryMetrics & {
  key: string | null;
  name: string;
  counterparty: string | null;
  isOthers: boolean;
};

/** A row with its rows of the second dimension, which add up to it. */
export type BreakdownGroup = BreakdownRow & { parts: BreakdownRow[] };

/** A value of a dimension before rounding. */
type DimensionValue = {
  key: string | null;
  name: string;
  counterparty: string | null;
  isOthers: boolean;
  sums: ExactSums;
};

/** The highest values of a dimension, of `count`. */
export type TopValues = { values: DimensionValue[]; count: number; dimension: Dimension };

/** What a listed value of the first dimension and one of the second have in common. */
export type Cell = { key: string | null; splitKey: string | null; sums: ExactSums };

type Group = DimensionValue & { parts: DimensionValue[] };

/** Fills in what the others have: what is left of each value, and of the total. */
export function fillMatrix({
  outer,
  inner,
  cells,
  total,
}: {
  outer: TopValues;
  inner: TopValues;
  cells: readonly Cell[];
  total: ExactSums;
}): Group[] {
  const cellOf = new Map(cells.map(({ key, splitKey, sums }) => [cellKey(key, splitKey), sums]));
  const restOf = (whole: ExactSums, parts: readonly DimensionValue[]) =>
    parts.reduce((rest, { sums }) => subtractSums(rest, sums), whole);
  const others = ({ dimension }: TopValues, sums: ExactSums): DimensionValue => ({
    key: null,
    name: `Other ${groupingPlurals[dimension].toLowerCase()}`,
    counterparty: null,
    isOthers: true,
    sums,
  });
  const withOthers = (parts: readonly DimensionValue[], whole: ExactSums) =>
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
export function shareCents(
  groups: readonly Group[],
  { total, sort, order }: { total: ExactSums; sort: PerformanceSort; order: SortOrder },
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
  { key, name, counterparty, isOthers }: DimensionValue,
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
function sortValues<T extends DimensionValue>(
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
