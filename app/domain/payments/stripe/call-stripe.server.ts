import type Stripe from "stripe";
import { PaymentConfigurationError, PaymentProviderError } from "../payment-provider.ts";
import { stripeClient } from "./stripe-client.server.ts";

/**
 * Thrown when Stripe rejects a request: nothing was done. The codes are documented by Stripe; `intent` is the
 * PaymentIntent concerned.
 */
export class StripeRejection extends Error {
  readonly code: string;
  readonly param: string | undefined;
  readonly intent: Stripe.PaymentIntent | undefined;
  /** Whether the card was declined, and not the request rejected. */
  readonly isDecline: boolean;

  constructor({
    code,
    param,
    intent,
    isDecline,
    cause,
  }: {
    code: string;
    param?: string;
    intent?: Stripe.PaymentIntent;
    isDecline: boolean;
    cause: Error;
  }) {
    super(`Stripe refused: ${code}`, { cause });
    this.name = "StripeRejection";
    [this.code, this.param, this.intent, this.isDecline] = [code, param, intent, isDecline];
  }
}

/**
 * Thrown for a server error of Stripe. The operation may have happened, and the same idempotency key returns the same
 * error from now on.
 */
export class StripeServerError extends PaymentProviderError {}

/**
 * Calls Stripe and returns its response. Throws a StripeRejection when Stripe rejects the request, else a
 * PaymentProviderError, whose cause has the kind of error and Stripe's request ID, and nothing of the request. It is a
 * PaymentConfigurationError when Stripe rejects our key or what it may do.
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
      const isDecline = error.type === "StripeCardError";
      const { param, payment_intent: intent } = error;
      throw new StripeRejection({ code, param, intent, isDecline, cause: describeRejection(error) });
    }
    const kind = describeRejection(error);
    if (error.type === "StripeAuthenticationError" || error.type === "StripePermissionError")
      throw new PaymentConfigurationError(kind, { isUncharged: false });
    throw (error.statusCode ?? 0) >= 500 ? new StripeServerError(kind) : new PaymentProviderError(kind);
  }
}

/** The kind of an error and Stripe's request ID, without its message, which may quote the request. */
function describeRejection({ type, statusCode, code, param, requestId }: Stripe.errors.StripeError): Error {
  return new Error([type, statusCode, code, param, requestId].map((part) => part ?? "").join(" "));
}
