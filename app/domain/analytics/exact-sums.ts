import { earnedUnitsPerCent, microsPerCent, type SummedRow } from "./delivery-metrics.ts";

/** Sums before rounding: counts, and amounts in the units of `delivery-metrics.ts`. */
export type ExactSums = {
  impressions: bigint;
  clicks: bigint;
  conversions: bigint;
  spendMicros: bigint;
  revenueMicros: bigint;
  earnedUnits: bigint;
};

export type RoundedSums = ExactSums & { spendCents: bigint; revenueCents: bigint; earnedCents: bigint };

export const noSums: ExactSums = {
  impressions: 0n,
  clicks: 0n,
  conversions: 0n,
  spendMicros: 0n,
  revenueMicros: 0n,
  earnedUnits: 0n,
};

export function toExactSums(row: Omit<SummedRow, "spend_cents" | "revenue_cents" | "earned_cents">): ExactSums {
  return {
    impressions: BigInt(row.impressions),
    clicks: BigInt(row.clicks),
    conversions: BigInt(row.conversions),
    spendMicros: BigInt(row.spend_micros),
    revenueMicros: BigInt(row.revenue_micros),
    earnedUnits: BigInt(row.earned_units),
  };
}

export function addSums(one: ExactSums, other: ExactSums): ExactSums {
  return {
    impressions: one.impressions + other.impressions,
    clicks: one.clicks + other.clicks,
    conversions: one.conversions + other.conversions,
    spendMicros: one.spendMicros + other.spendMicros,
    revenueMicros: one.revenueMicros + other.revenueMicros,
    earnedUnits: one.earnedUnits + other.earnedUnits,
  };
}

export function subtractSums(whole: ExactSums, part: ExactSums): ExactSums {
  return {
    impressions: whole.impressions - part.impressions,
    clicks: whole.clicks - part.clicks,
    conversions: whole.conversions - part.conversions,
    spendMicros: whole.spendMicros - part.spendMicros,
    revenueMicros: whole.revenueMicros - part.revenueMicros,
    earnedUnits: whole.earnedUnits - part.earnedUnits,
  };
}

/**
 * Rounds parts to whole cents that add up to those of their sum: the given ones, otherwise the sum rounded down. The
 * remaining cents go to the largest remainders, the first of equal ones. Pure.
 */
export function allocateSums(
  parts: readonly ExactSums[],
  whole: ExactSums,
  cents?: Pick<RoundedSums, "spendCents" | "revenueCents" | "earnedCents">,
): RoundedSums[] {
  const micros = BigInt(microsPerCent);
  const units = BigInt(earnedUnitsPerCent);
  const share = (amountOf: (sums: ExactSums) => bigint, unit: bigint, target: bigint | undefined) =>
    shareCents(parts.map(amountOf), { unit, target: target ?? amountOf(whole) / unit });
  const spend = share(({ spendMicros }) => spendMicros, micros, cents?.spendCents);
  const revenue = share(({ revenueMicros }) => revenueMicros, micros, cents?.revenueCents);
  const earned = share(({ earnedUnits }) => earnedUnits, units, cents?.earnedCents);
  return parts.map((part, index) => ({
    ...part,
    spendCents: spend[index] ?? 0n,
    revenueCents: revenue[index] ?? 0n,
    earnedCents: earned[index] ?? 0n,
  }));
}

function shareCents(amounts: readonly bigint[], { unit, target }: { unit: bigint; target: bigint }): bigint[] {
  const cents = amounts.map((amount) => amount / unit);
  const remaining = Number(cents.reduce((rest, amount) => rest - amount, target));
  const byRemainder = amounts
    .map((amount, index) => ({ index, remainder: amount % unit }))
    .sort((one, other) => (one.remainder === other.remainder ? 0 : one.remainder > other.remainder ? -1 : 1));
  for (const { index } of byRemainder.slice(0, remaining)) cents[index] = (cents[index] ?? 0n) + 1n;
  return cents;
}
