import type { PaymentProvider } from "#app/payments/payment-provider.ts";

/** The vocabulary of ways to pay. Pure. */
export const paymentProviders = ["sandbox", "stripe"] as const satisfies readonly PaymentProvider["name"][];
export type PaymentProviderName = (typeof paymentProviders)[number];

export const paymentMethodTypes = ["card"] as const;
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/** The most that an account has at a time. */
export const mostPaymentMethods = 20;

/** `Visa •••• 4242`. */
export function methodName({ brand, lastFour }: { brand: string; lastFour: string }): string {
  return `${brand} •••• ${lastFour}`;
}

/** What is said of one that whoever takes money here does not know. */
export const addedElsewhere = "It was added with another payment provider. Add it again.";

/** A card is good until its month is over (UTC). */
export function isExpired(method: { expiresMonth: number; expiresYear: number }, now: Date): boolean {
  return now.getTime() >= Date.UTC(method.expiresYear, method.expiresMonth, 1);
}
