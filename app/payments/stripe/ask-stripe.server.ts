import type Stripe from "stripe";
import { PaymentProviderError } from "../payment-provider.ts";
import { stripeClient } from "./stripe-client.server.ts";

/** Stripe answered no: nothing was done. The codes are those of its documentation; `intent` is the payment that it is about. */
export class StripeRefusal extends Error {
  readonly code: string;
  readonly param: string | undefined;
  readonly intent: Stripe.PaymentIntent | undefined;

  constructor({ code, param, intent }: { code: string; param?: string; intent?: Stripe.PaymentIntent }) {
    super(`Stripe refused: ${code}`);
    this.name = "StripeRefusal";
    [this.code, this.param, this.intent] = [code, param, intent];
  }
}

/** Stripe's own failure with a status: it may have been done, and the same key is answered the same from now on. */
export class StripeFailure extends PaymentProviderError {}

/**
 * What Stripe answers. Throws a StripeRefusal when it is no, else a PaymentProviderError, which says in its cause what kind it was
 * and under which number Stripe knows it, and nothing of what was sent.
 */
export async function askStripe<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await stripeClient();
  try {
    return await ask(stripe);
  } catch (error) {
    const { StripeError } = (await import("stripe")).default.errors;
    if (!(error instanceof StripeError)) throw error;
    // An account of Connect that was closed, or is not ours.
    const gone = error.type === "StripePermissionError" && error.code === "account_invalid";
    if (gone || error.type === "StripeCardError" || error.type === "StripeInvalidRequestError") {
      const code = error.decline_code ?? error.code ?? "unknown";
      throw new StripeRefusal({ code, param: error.param, intent: error.payment_intent });
    }
    const kind = new Error(`${error.type} ${error.statusCode ?? ""} ${error.code ?? ""} ${error.requestId ?? ""}`);
    throw (error.statusCode ?? 0) >= 500 ? new StripeFailure(kind) : new PaymentProviderError(kind);
  }
}
