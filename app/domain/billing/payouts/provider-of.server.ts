import { paymentsBy, paysOutByStripe } from "#app/payments/payments-by.server.ts";
import { DomainError } from "../../errors.ts";
import type { PayoutProviderName } from "./payout.ts";
import { type PayoutProvider, PayoutProviderError } from "./payout-provider.ts";
import { sandboxPayouts } from "./sandbox-payouts.server.ts";
import { stripePayouts } from "./stripe/stripe-payouts.server.ts";

const providers: Record<PayoutProviderName, PayoutProvider> = { sandbox: sandboxPayouts, stripe: stripePayouts };

/**
 * Who carries payouts out here; undefined where nobody does. The sandbox moves no money and says that it arrived: it stands in only
 * where it takes the payments too. Stripe pays out where it takes the payments and its Connect was set up.
 */
export function findPayoutsBy(): PayoutProviderName | undefined {
  switch (paymentsBy()) {
    case "sandbox":
      return "sandbox";
    case "stripe":
      return paysOutByStripe() ? "stripe" : undefined;
    case "none":
      return undefined;
  }
}

/** The same where it must be known. Throws `unavailable`. */
export function payoutsBy(): PayoutProviderName {
  const name = findPayoutsBy();
  if (!name) throw new DomainError("unavailable", "Payouts are not set up here. What is earned stays in the balance.");
  return name;
}

/** Who carries out what goes to an account of this kind. What was begun while another did waits. */
export function payoutProviderOf(name: PayoutProviderName): PayoutProvider {
  return name === findPayoutsBy() ? providers[name] : absent;
}

const refuse = () => Promise.reject(new PayoutProviderError("Nobody carries out payouts here"));
const absent: PayoutProvider = { send: refuse, follow: refuse };
