import { z } from "zod";
import { ctrPercent } from "../campaigns/metrics.ts";
import { type Cents, toCents } from "../money.ts";
import { wholeCents } from "./whole-cents.ts";

/** What was delivered. CTR in percent; the money in whole cents that add up to those of the sum. */
export type Delivered = { impressions: number; clicks: number; conversions: number; spendCents: Cents; ctr: number };

/** Sums as the database gives them. */
export const countedRow = z.object({
  impressions: z.string(),
  clicks: z.string(),
  conversions: z.string(),
  spend_micros: z.string(),
});
export type Counted = z.output<typeof countedRow>;

/** Groups of rows as what they delivered together. Pure. */
export function summed<Shown>(groups: readonly { shown: Shown; rows: readonly Counted[] }[]): (Shown & Delivered)[] {
  const cents = wholeCents(groups.map(({ rows }) => sum(rows, "spend_micros")));
  return groups.map(({ shown, rows }, index) => {
    const counted = {
      impressions: Number(sum(rows, "impressions")),
      clicks: Number(sum(rows, "clicks")),
      conversions: Number(sum(rows, "conversions")),
    };
    return { ...shown, ...counted, spendCents: cents[index] ?? toCents(0), ctr: ctrPercent(counted) };
  });
}

export function sum(rows: readonly Counted[], name: keyof Counted): bigint {
  return rows.reduce((total, row) => total + BigInt(row[name]), 0n);
}

/** The largest spend first. */
export function bySpend(one: Delivered, other: Delivered): number {
  return other.spendCents - one.spendCents || other.impressions - one.impressions;
}
