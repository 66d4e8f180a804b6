import type { PaymentProvider, ProviderRefund } from "../payment-provider.ts";
import { askStripe, StripeRefusal } from "./ask-stripe.server.ts";
import { cancelByStripe, chargeByStripe, readByStripe } from "./stripe-charges.server.ts";
import { forgetStripeMethod, openMethodPage, readMethodPage, type StripeCustomers } from "./stripe-methods.server.ts";

/**
 * Stripe takes the money (docs/decisions/0036). Cards are typed on its own pages, and a bank that wants a payment confirmed is
 * reached by an address that it gives: nothing of it runs in ours.
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
    beginMethod: (page) => openMethodPage(customers, page),
    readMethod: readMethodPage,
    forgetMethod: forgetStripeMethod,
    charge: (request) => chargeByStripe(request, clock()),
    readCharge: readByStripe,
    cancelCharge: cancelByStripe,
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
    const { id, status } = await askStripe((stripe) => stripe.refunds.create(input, { idempotencyKey: key }));
    const failed = status === "failed" || status === "canceled";
    return failed
      ? { state: "refused", reason: "The bank did not take it back" }
      : { state: "succeeded", refundId: id };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    const missing = error.code === "resource_missing";
    const reason = missing ? "There is no such payment to give back" : "This is more than is left of the payment";
    return { state: "refused", reason };
  }
}
