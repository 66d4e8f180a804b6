import type Stripe from "stripe";
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

/** Stripe forgets keys after a day and repeats its first response until then, so an existing refund is looked for. */
async function refund(request: { key: string; paymentId: string; amount: number }): Promise<ProviderRefund> {
  try {
    const { id, status } = (await findRefund(request)) ?? (await createRefund(request));
    if (status === "failed" || status === "canceled") {
      return { state: "refused", reason: "The bank rejected the refund" };
    }
    return { state: status === "succeeded" ? "succeeded" : "pending", refundId: id };
  } catch (error) {
    if (!(error instanceof StripeRejection)) throw error;
    const missing = error.code === "resource_missing";
    const reason = missing
      ? "This payment does not exist, so it can't be refunded"
      : "This is more than the refundable amount";
    return { state: "refused", reason };
  }
}

async function findRefund({ key, paymentId }: { key: string; paymentId: string }): Promise<Stripe.Refund | undefined> {
  return callStripe(async (stripe) => {
    for await (const one of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
      if (one.metadata?.endcap_key === key) return one;
    }
    return undefined;
  });
}

async function createRefund(request: { key: string; paymentId: string; amount: number }): Promise<Stripe.Refund> {
  const { key, paymentId, amount } = request;
  const input = { payment_intent: paymentId, amount, metadata: { endcap_key: key } };
  return callStripe((stripe) => stripe.refunds.create(input, { idempotencyKey: key }));
}
