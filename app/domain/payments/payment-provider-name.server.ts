import { env } from "#app/env.server.ts";

/** Returns the configured payment provider; `none` when none is configured. */
export function activePaymentProvider(): "stripe" | "sandbox" | "none" {
  return env().payments;
}

/** Returns whether the webhook secret for events of connected Stripe accounts is configured. */
export function isStripeConnectEnabled(): boolean {
  return env().stripe?.connectSecret !== undefined;
}
