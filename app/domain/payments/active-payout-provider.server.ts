import { activePaymentProvider, isStripeConnectEnabled } from "#app/domain/payments/payment-provider-name.server.ts";
import { DomainError } from "../errors.ts";
import { type PayoutProvider, PayoutProviderError } from "./payout-provider.ts";
import type { PayoutProviderName } from "./payout-provider-name.ts";
import { sandboxPayouts } from "./sandbox/sandbox-payouts.server.ts";
import { stripePayouts } from "./stripe/stripe-payout-provider.server.ts";

const providers: Record<PayoutProviderName, PayoutProvider> = { sandbox: sandboxPayouts, stripe: stripePayouts };

/**
 * Returns the name of the payout provider; undefined when there is none. The sandbox moves no money and reports every
 * payout as paid, so it is used only where it also takes the payments. Stripe is used where it takes the payments and
 * Stripe Connect is set up.
 */
export function findPayoutProviderName(): PayoutProviderName | undefined {
  switch (activePaymentProvider()) {
    case "sandbox":
      return "sandbox";
    case "stripe":
      return isStripeConnectEnabled() ? "stripe" : undefined;
    case "none":
      return undefined;
  }
}

/** Returns the name of the payout provider. Throws `unavailable` when there is none. */
export function requirePayoutProviderName(): PayoutProviderName {
  const name = findPayoutProviderName();
  if (!name)
    throw new DomainError("unavailable", "No payout provider is connected yet. Your earnings stay in your balance.");
  return name;
}

/**
 * Returns the provider for a payout. A payout that another provider started waits: every call throws a
 * PayoutProviderError.
 */
export function getPayoutProvider(name: PayoutProviderName): PayoutProvider {
  return name === findPayoutProviderName() ? providers[name] : unavailableProvider;
}

const rejectCall = () => Promise.reject(new PayoutProviderError("No payout provider is connected"));
const unavailableProvider: PayoutProvider = { send: rejectCall, getStatus: rejectCall };
