import { z } from "zod";
import { ctrPercent, roas } from "../campaigns/metrics.ts";
import { type Cents, toCents } from "../money.ts";

/**
 * What was delivered, as it is shown: amounts in cents, CTR and conversion rate in percent. `revenueCents` and `roas` are the
 * advertiser's affair, `earnedCents` the publisher's.
 */
export type Figures = {
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
  /** What a thousand impressions cost the advertiser, and brought the publisher, to the nearest cent; null without impressions. */
  cpmCents: Cents | null;
  earnedCpmCents: Cents | null;
};

/** The same as the database has it: exact sums as text, and the cents that they are shown as. */
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

/** Ratios are those of the exact sums, never of rounded amounts. Pure. */
export function figuresOf(row: SummedRow): Figures {
  const counters = {
    impressions: Number(row.impressions),
    clicks: Number(row.clicks),
    conversions: Number(row.conversions),
  };
  const { impressions, clicks, conversions } = counters;
  const micros = { spendMicros: BigInt(row.spend_micros), revenueMicros: BigInt(row.revenue_micros) };
  const perThousand = (cents: number) =>
    impressions === 0 ? null : toCents(Math.round((cents / impressions) * 1_000));
  return {
    ...counters,
    spendCents: toCents(Number(row.spend_cents)),
    revenueCents: toCents(Number(row.revenue_cents)),
    earnedCents: toCents(Number(row.earned_cents)),
    ctr: ctrPercent(counters),
    conversionRate: clicks === 0 ? 0 : (conversions / clicks) * 100,
    roas: roas(micros),
    cpmCents: perThousand(Number(row.spend_micros) / microsInCent),
    earnedCpmCents: perThousand(Number(row.earned_units) / unitsInCent),
  };
}

/** A cent in millionths of a dollar; and in those times basis points, which is what a publisher's earnings are summed in. */
export const microsInCent = 10_000;
export const unitsInCent = 100_000_000;
