import { z } from "zod";
import type { AccountType } from "../accounts/account.ts";
import { ctrPercent, roas } from "../campaigns/metrics.ts";
import { asCents, type Cents } from "../money.ts";

/**
 * Delivery metrics as they are shown: amounts in cents, CTR and conversion rate in percent. Only advertisers see
 * `revenueCents` and `roas`, only publishers `earnedCents`.
 */
export type DeliveryMetrics = {
  impressions: number;
  clicks: number;
  conversions: number;
  spendCents: Cents;
  revenueCents: Cents;
  earnedCents: Cents;
  /** 0 without impressions. */
  ctr: number;
  /** Conversions per hundred clicks; 0 without clicks. */
  conversionRate: number;
  /** Null without spend. */
  roas: number | null;
  /**
   * The advertiser's cost and the publisher's earnings per thousand impressions, to the nearest cent; null without
   * impressions.
   */
  cpmCents: Cents | null;
  earnedCpmCents: Cents | null;
};

type PartyMetric = "revenueCents" | "roas" | "earnedCents" | "earnedCpmCents";

/** Metrics without those of the other side. */
export type OwnMetrics<Row extends DeliveryMetrics = DeliveryMetrics> = Omit<Row, PartyMetric> &
  Partial<Pick<DeliveryMetrics, PartyMetric>>;

/** Leaves out what only the other side sees: a page's data is sent to the browser, shown or not. Pure. */
export function ownMetrics<Row extends DeliveryMetrics>(
  { revenueCents, roas, earnedCents, earnedCpmCents, ...shared }: Row,
  side: AccountType,
): OwnMetrics<Row> {
  return { ...shared, ...(side === "publisher" ? { earnedCents, earnedCpmCents } : { revenueCents, roas }) };
}

/** The row that the database returns: exact sums as text, and the rounded cents. */
export const summedRow = z.object({
  impressions: z.string(),
  clicks: z.string(),
  conversions: z.string(),
  spend_micros: z.string(),
  revenue_micros: z.string(),
  earned_units: z.string(),
  spend_cents: z.string(),
  revenue_cents: z.string(),
  earned_cents: z.string(),
});
export type SummedRow = z.output<typeof summedRow>;

/** Adds up rows, exactly. Pure. */
export function addSummedRows(rows: readonly SummedRow[]): SummedRow {
  const sumOf = (column: keyof SummedRow) => String(rows.reduce((sum, row) => sum + BigInt(row[column]), 0n));
  return {
    impressions: sumOf("impressions"),
    clicks: sumOf("clicks"),
    conversions: sumOf("conversions"),
    spend_micros: sumOf("spend_micros"),
    revenue_micros: sumOf("revenue_micros"),
    earned_units: sumOf("earned_units"),
    spend_cents: sumOf("spend_cents"),
    revenue_cents: sumOf("revenue_cents"),
    earned_cents: sumOf("earned_cents"),
  };
}

/**
 * Returns the metrics of one of `count` equal parts: counts may be fractions, amounts are rounded to the nearest cent.
 * Pure.
 */
export function averageMetrics(metrics: DeliveryMetrics, count: number): DeliveryMetrics {
  const centsOf = (cents: Cents) => asCents(Math.round(cents / count));
  return {
    ...metrics,
    impressions: metrics.impressions / count,
    clicks: metrics.clicks / count,
    conversions: metrics.conversions / count,
    spendCents: centsOf(metrics.spendCents),
    revenueCents: centsOf(metrics.revenueCents),
    earnedCents: centsOf(metrics.earnedCents),
  };
}

/** Converts a row to metrics. Ratios are computed from exact sums, never from rounded amounts. Pure. */
export function toDeliveryMetrics(row: SummedRow): DeliveryMetrics {
  const counters = {
    impressions: Number(row.impressions),
    clicks: Number(row.clicks),
    conversions: Number(row.conversions),
  };
  const { impressions, clicks, conversions } = counters;
  const micros = { spendMicros: BigInt(row.spend_micros), revenueMicros: BigInt(row.revenue_micros) };
  const perThousand = (cents: number) =>
    impressions === 0 ? null : asCents(Math.round((cents / impressions) * 1_000));
  return {
    ...counters,
    spendCents: asCents(Number(row.spend_cents)),
    revenueCents: asCents(Number(row.revenue_cents)),
    earnedCents: asCents(Number(row.earned_cents)),
    ctr: ctrPercent(counters),
    conversionRate: clicks === 0 ? 0 : (conversions / clicks) * 100,
    roas: roas(micros),
    cpmCents: perThousand(Number(row.spend_micros) / microsPerCent),
    earnedCpmCents: perThousand(Number(row.earned_units) / earnedUnitsPerCent),
  };
}

/**
 * The units per cent: millionths of a dollar; and millionths of a dollar times basis points, the unit that publishers'
 * earnings are summed in.
 */
export const microsPerCent = 10_000;
export const earnedUnitsPerCent = 100_000_000;
