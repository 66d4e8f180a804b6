import type Stripe from "stripe";
import { PaymentProviderError } from "../payment-provider.ts";
import { stripeClient } from "./stripe-client.server.ts";

/**
 * Thrown when Stripe rejects a request: nothing was done. The codes are documented by Stripe; `intent` is the
 * PaymentIntent concerned.
 */
export class StripeRejection extends Error {
  readonly code: string;
  readonly param: string | undefined;
  readonly intent: Stripe.PaymentIntent | undefined;

  constructor({ code, param, intent }: { code: string; param?: string; intent?: Stripe.PaymentIntent }) {
    super(`Stripe refused: ${code}`);
    this.name = "StripeRejection";
    [this.code, this.param, this.intent] = [code, param, intent];
  }
}

/**
 * Thrown for a server error of Stripe. The operation may have happened, and the same idempotency key returns the same
 * error from now on.
 */
export class StripeServerError extends PaymentProviderError {}

/**
 * Calls Stripe and returns its response. Throws a StripeRejection when Stripe rejects the request, else a
 * PaymentProviderError, whose cause has the kind of error and Stripe's request ID, and nothing of the request.
 */
export async function callStripe<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await stripeClient();
  try {
    return await call(stripe);
  } catch (error) {
    const { StripeError } = (await import("stripe")).default.errors;
    if (!(error instanceof StripeError)) throw error;
    // A connected account that was closed, or is not ours.
    const isAccountDeleted = error.type === "StripePermissionError" && error.code === "account_invalid";
    if (isAccountDeleted || error.type === "StripeCardError" || error.type === "StripeInvalidRequestError") {
      const code = error.decline_code ?? error.code ?? "unknown";
      throw new StripeRejection({ code, param: error.param, intent: error.payment_intent });
    }
    const kind = new Error(`${error.type} ${error.statusCode ?? ""} ${error.code ?? ""} ${error.requestId ?? ""}`);
    throw (error.statusCode ?? 0) >= 500 ? new StripeServerError(kind) : new PaymentProviderError(kind);
  }
}
