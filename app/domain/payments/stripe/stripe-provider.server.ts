import type { PaymentProvider, ProviderRefund } from "../payment-provider.ts";
import { callStripe, StripeRejection } from "./call-stripe.server.ts";
import { cancelStripeCharge, createStripeCharge, readStripeCharge } from "./stripe-charges.server.ts";
import {
  createStripeSetupSession,
  detachStripeMethod,
  readStripeSetupSession,
  type StripeCustomers,
} from "./stripe-methods.server.ts";

/**
 * The payment provider Stripe (docs/decisions/0036). Cards are entered on Stripe's own pages, and the user confirms
 * payments at a URL that Stripe supplies: no third-party script runs in this app.
 */
export function stripeProvider({
  customers,
  clock,
}: {
  customers: StripeCustomers;
  clock: () => Date;
}): PaymentProvider {
  return {
    name: "stripe",
    createSetupSession: (page) => createStripeSetupSession(customers, page),
    readMethod: readStripeSetupSession,
    detachMethod: detachStripeMethod,
    charge: (request) => createStripeCharge(request, clock()),
    readCharge: readStripeCharge,
    cancelCharge: cancelStripeCharge,
    refund,
  };
}

async function refund({
  key,
  paymentId,
  amount,
}: {
  key: string;
  paymentId: string;
  amount: number;
}): Promise<ProviderRefund> {
  try {
    const input = { payment_intent: paymentId, amount, metadata: { endcap_key: key } };
    const { id, status } = await callStripe((stripe) => stripe.refunds.create(input, { idempotencyKey: key }));
    const failed = status === "failed" || status === "canceled";
    return failed ? { state: "refused", reason: "The bank rejected the refund" } : { state: "succeeded", refundId: id };
  } catch (error) {
    if (!(error instanceof StripeRejection)) throw error;
    const missing = error.code === "resource_missing";
    const reason = missing
      ? "This payment does not exist, so it can't be refunded"
      : "This is more than the refundable amount";
    return { state: "refused", reason };
  }
}
