import { asCents, type Cents, shareOf } from "../../money.ts";
import type { BasisPoints } from "../../rate.ts";

/** The settled spend of a line item, and the refunded part of it, in cents. */
export type Refundable = { settled: Cents; refunded: Cents; refundedEarnings: Cents; commissionRateBps: BasisPoints };

/**
 * Splits a refund into the publisher's share and ours. The publisher's share is its share of all refunds (rounded down)
 * less its share so far, so that no cent is lost over many refunds. Pure.
 */
export function splitRefund(
  { refunded, refundedEarnings, commissionRateBps }: Refundable,
  amount: Cents,
): { earnings: Cents; fee: Cents } {
  const earnings = asCents(shareOf(asCents(refunded + amount), commissionRateBps) - refundedEarnings);
  return { earnings, fee: asCents(amount - earnings) };
}

/** Returns the amount that can still be refunded, in cents. Pure. */
export function refundableAmount({ settled, refunded }: Refundable): Cents {
  return asCents(Math.max(0, settled - refunded));
}

/**
 * Returns the change of the refunded amount, in cents, when spend is restated to `total`: a refund never exceeds its
 * original, so an operator's refunds apply only up to the spend. Negative when spend falls below the refunds, positive
 * when it rises again. Pure.
 */
export function refundAdjustment({
  operatorRefunded,
  refunded,
  total,
}: Record<"operatorRefunded" | "refunded" | "total", Cents>): Cents {
  return asCents(Math.min(operatorRefunded, total) - refunded);
}
