import { type Cents, microsToCents, shareOf } from "../money.ts";
import type { BasisPoints } from "../rate.ts";

/** Metrics computed from counters, never stored. Zero denominators are handled here only. Pure. */
export type Counters = {
  impressions: number;
  clicks: number;
  conversions: number;
  spendMicros: bigint;
  revenueMicros: bigint;
};

/** Clicks per hundred impressions, in percent; 0 without impressions. */
export function ctrPercent(counters: Pick<Counters, "clicks" | "impressions">): number {
  return counters.impressions === 0 ? 0 : (counters.clicks / counters.impressions) * 100;
}

/** Attributed revenue per dollar spent; null without spend. */
export function roas(counters: Pick<Counters, "spendMicros" | "revenueMicros">): number | null {
  return counters.spendMicros === 0n ? null : Number(counters.revenueMicros) / Number(counters.spendMicros);
}

/** Returns a publisher's commission: its share of the spend in whole cents, rounded down. */
export function commissionEarned(spendMicros: bigint, rateBps: BasisPoints): Cents {
  return shareOf(microsToCents(spendMicros), rateBps);
}
