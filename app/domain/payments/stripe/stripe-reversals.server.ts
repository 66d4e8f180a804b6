import type Stripe from "stripe";
import { callStripe, StripeRejection } from "./call-stripe.server.ts";

/** The amount that one dispute, or one refund made manually at Stripe, reverses, in cents; 0 once it was reinstated. */
type StripeReversal = { reference: string; reason: "dispute" | "refund"; cents: number };

export type StripeReversals = {
  customer: string;
  /** The idempotency key of the charge. */
  key: string;
  reversals: StripeReversal[];
};

/**
 * Reads the disputes of a payment and its refunds except our own, in chronological order; undefined when the payment is
 * not ours. A dispute reverses what it withdrew from our Stripe balance and did not return; an inquiry withdraws
 * nothing. Stripe's dispute fee is not part of it.
 */
export async function readStripeReversals(paymentId: string): Promise<StripeReversals | undefined> {
  try {
    return await callStripe(async (stripe) => {
      const { customer, metadata } = await stripe.paymentIntents.retrieve(paymentId);
      const key = metadata.endcap_key;
      if (!customer || !key) return undefined;
      const stripeReversals: (StripeReversal & { created: number })[] = [];
      for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
        const { id: reference, created } = refund;
        if (!refund.metadata?.endcap_key)
          stripeReversals.push({ reference, created, reason: "refund", cents: refundedCents(refund) });
      }
      for await (const dispute of stripe.disputes.list({ payment_intent: paymentId, limit: 100 })) {
        const { id: reference, created } = dispute;
        stripeReversals.push({ reference, created, reason: "dispute", cents: withdrawnCents(dispute) });
      }
      stripeReversals.sort((one, other) => one.created - other.created || one.reference.localeCompare(other.reference));
      const reversals = stripeReversals.map(({ reference, reason, cents }) => ({ reference, reason, cents }));
      return { customer: typeof customer === "string" ? customer : customer.id, key, reversals };
    });
  } catch (error) {
    if (error instanceof StripeRejection) return undefined;
    throw error;
  }
}

/** Returns the refunded amount, in cents; a failed refund counts as 0. */
function refundedCents({ status, amount }: Stripe.Refund): number {
  return status === "succeeded" || status === "pending" ? amount : 0;
}

/**
 * Returns what of the disputed amount is withdrawn, in cents. Where our Stripe balance is in another currency than the
 * charge, the amounts that moved are in that one, and only say whether the disputed amount is withdrawn or reinstated.
 */
function withdrawnCents({ amount, currency, balance_transactions: moved }: Stripe.Dispute): number {
  if (moved.some((one) => one.currency !== currency)) {
    const isWithdrawn = moved.reduce((sum, one) => sum + Math.sign(one.amount), 0) < 0;
    return isWithdrawn ? amount : 0;
  }
  const cents = -moved.reduce((sum, one) => sum + one.amount, 0);
  return Math.max(0, Math.min(amount, cents));
}
