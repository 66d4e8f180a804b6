import { z } from "zod";
import { ctrPercent } from "../campaigns/metrics.ts";
import { asCents, type Cents } from "../money.ts";
import { allocateCents } from "./allocate-cents.ts";

/** Delivery totals. CTR in percent; the cents of several totals add up to those of their sum. */
export type DeliveryTotals = {
  impressions: number;
  clicks: number;
  conversions: number;
  spendCents: Cents;
  ctr: number;
};

/** Sums as the database returns them. */
export const countedRow = z.object({
  impressions: z.string(),
  clicks: z.string(),
  conversions: z.string(),
  spend_micros: z.string(),
});
export type CounterRow = z.output<typeof countedRow>;

/** Sums groups of rows to delivery totals. Pure. */
export function sumGroups<Shown>(
  groups: readonly { shown: Shown; rows: readonly CounterRow[] }[],
): (Shown & DeliveryTotals)[] {
  const cents = allocateCents(groups.map(({ rows }) => sumCounter(rows, "spend_micros")));
  return groups.map(({ shown, rows }, index) => {
    const counted = {
      impressions: Number(sumCounter(rows, "impressions")),
      clicks: Number(sumCounter(rows, "clicks")),
      conversions: Number(sumCounter(rows, "conversions")),
    };
    return { ...shown, ...counted, spendCents: cents[index] ?? asCents(0), ctr: ctrPercent(counted) };
  });
}

export function sumCounter(rows: readonly CounterRow[], name: keyof CounterRow): bigint {
  return rows.reduce((total, row) => total + BigInt(row[name]), 0n);
}

/** Sorts by spend, largest first. */
export function bySpend(one: DeliveryTotals, other: DeliveryTotals): number {
  return other.spendCents - one.spendCents || other.impressions - one.impressions;
}
