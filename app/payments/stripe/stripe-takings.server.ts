import type Stripe from "stripe";
import { askStripe, StripeRefusal } from "./ask-stripe.server.ts";

/** What is gone of a payment by one dispute, or by one refund that was made at Stripe by hand; 0 cents where it came back. */
type StripeTaking = { reference: string; reason: "dispute" | "refund"; cents: number };

export type StripeTakings = {
  customer: string;
  /** Of the charge, as we named it. */
  key: string;
  takings: StripeTaking[];
};

/**
 * What was taken of a payment beside what we gave back ourselves, in the order in which it happened; undefined when it is no payment
 * of ours. A dispute has what it withdrew from our balance at Stripe and did not put back: an inquiry has nothing. Stripe's fee for a
 * dispute is no part of it, like its fees for payments.
 */
export async function readStripeTakings(paymentId: string): Promise<StripeTakings | undefined> {
  try {
    return await askStripe(async (stripe) => {
      const { customer, metadata } = await stripe.paymentIntents.retrieve(paymentId);
      const key = metadata.endcap_key;
      if (!customer || !key) return undefined;
      const found: (StripeTaking & { created: number })[] = [];
      for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
        const { id: reference, created } = refund;
        if (!refund.metadata?.endcap_key) found.push({ reference, created, reason: "refund", cents: given(refund) });
      }
      for await (const dispute of stripe.disputes.list({ payment_intent: paymentId, limit: 100 })) {
        const { id: reference, created } = dispute;
        found.push({ reference, created, reason: "dispute", cents: withdrawn(dispute) });
      }
      found.sort((one, other) => one.created - other.created || one.reference.localeCompare(other.reference));
      const takings = found.map(({ reference, reason, cents }) => ({ reference, reason, cents }));
      return { customer: typeof customer === "string" ? customer : customer.id, key, takings };
    });
  } catch (error) {
    if (error instanceof StripeRefusal) return undefined;
    throw error;
  }
}

/** It is on its way or arrived; one that failed is ours again. */
function given({ status, amount }: Stripe.Refund): number {
  return status === "succeeded" || status === "pending" ? amount : 0;
}

function withdrawn({ amount, balance_transactions: moved }: Stripe.Dispute): number {
  const cents = -moved.reduce((sum, one) => sum + one.amount, 0);
  return Math.max(0, Math.min(amount, cents));
}
