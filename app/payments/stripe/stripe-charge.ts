import type Stripe from "stripe";
import type { Charge } from "../payment-provider.ts";
import { declineWords } from "./decline-words.ts";

/**
 * How a payment stands, in our words; undefined where it waits for what cannot be done without scripting, or by anybody here.
 * A payment that wants another card is over: nobody gives it one. Pure.
 */
export function chargeOf(intent: Stripe.PaymentIntent): Charge | undefined {
  const paymentId = intent.id;
  switch (intent.status) {
    case "succeeded":
      return { state: "succeeded", paymentId };
    case "processing":
      return { state: "processing", paymentId };
    case "canceled":
      return { state: "declined", paymentId, reason: declineWords("payment_intent_authentication_failure") };
    case "requires_payment_method": {
      const error = intent.last_payment_error;
      return { state: "declined", paymentId, reason: declineWords(error?.decline_code, error?.code) };
    }
    case "requires_action": {
      const url = intent.next_action?.redirect_to_url?.url;
      return url ? { state: "needs_confirmation", paymentId, url } : undefined;
    }
    default:
      return undefined;
  }
}

/** The bank let nobody pay without being asked: the person may be sent to it. Pure. */
export function wantsConfirmation({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  const wanted = [error?.code, error?.decline_code].includes("authentication_required");
  return status === "requires_payment_method" && wanted;
}
