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

/** What can still be given back; nothing where a restatement took more than was left. Pure. */
export function leftToRefund({ settled, refunded }: Refundable): Cents {
  return toCents(Math.max(0, settled - refunded));
}
