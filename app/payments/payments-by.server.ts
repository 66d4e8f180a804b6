import { env } from "#app/env.server.ts";

/** Who takes money here: `none` where nobody was named for it. */
export function paymentsBy(): "stripe" | "sandbox" | "none" {
  return env().payments;
}

/** Whether Stripe was told to send us what happens to the accounts of those who are paid. */
export function paysOutByStripe(): boolean {
  return env().stripe?.connectSecret !== undefined;
}
