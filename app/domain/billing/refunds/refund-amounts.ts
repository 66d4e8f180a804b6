import { type Cents, shareOf, toCents } from "../../money.ts";
import type { BasisPoints } from "../../rate.ts";

/** What was settled of a line item, and what of it was given back before. In cents. */
export type Refundable = { settled: Cents; refunded: Cents; refundedEarnings: Cents; commissionRateBps: BasisPoints };

/**
 * The publisher's part and ours of a refund: its share of all that was given back (rounded down) less its part so far, the rest
 * is ours. So the last refund of all takes the remainder, and no cent is lost over many. Pure.
 */
export function splitRefund(
  { refunded, refundedEarnings, commissionRateBps }: Refundable,
  amount: Cents,
): { earnings: Cents; fee: Cents } {
  const earnings = toCents(shareOf(toCents(refunded + amount), commissionRateBps) - refundedEarnings);
  return { earnings, fee: toCents(amount - earnings) };
}

/** What can still be given back. Pure. */
export function leftToRefund({ settled, refunded }: Refundable): Cents {
  return toCents(Math.max(0, settled - refunded));
}

/**
 * By how much what was given back changes when spend is restated to `total`: a refund is never above its original, so what an
 * operator granted is in force as far as there is spend. Below 0 where spend fell under it, above 0 where it rises again. Pure.
 */
export function refundChange({ granted, refunded, total }: Record<"granted" | "refunded" | "total", Cents>): Cents {
  return toCents(Math.min(granted, total) - refunded);
}
