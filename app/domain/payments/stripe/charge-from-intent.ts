import type Stripe from "stripe";
import type { Charge } from "../payment-provider.ts";
import { describeDecline } from "./decline-copy.ts";

/**
 * Converts a PaymentIntent to a charge; undefined when it waits for something that needs scripting or that nobody here
 * can do. An intent that requires another payment method is declined, because none will be supplied. Pure.
 */
export function chargeFromIntent(intent: Stripe.PaymentIntent): Charge | undefined {
  const paymentId = intent.id;
  switch (intent.status) {
    case "succeeded":
      return { state: "succeeded", paymentId };
    case "processing":
      return { state: "processing", paymentId };
    case "canceled":
      return { state: "declined", paymentId, reason: describeDecline("payment_intent_authentication_failure") };
    case "requires_payment_method": {
      const error = intent.last_payment_error;
      return { state: "declined", paymentId, reason: describeDecline(error?.decline_code, error?.code) };
    }
    case "requires_action": {
      const url = intent.next_action?.redirect_to_url?.url;
      return url ? { state: "needs_confirmation", paymentId, url } : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns whether the bank requires the user's confirmation. Pure. */
export function requiresConfirmation({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  const isAuthenticationRequired = [error?.code, error?.decline_code].includes("authentication_required");
  return status === "requires_payment_method" && isAuthenticationRequired;
}
