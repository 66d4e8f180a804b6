import type { PaymentProvider } from "#app/domain/payments/payment-provider.ts";

/** The providers and types of payment methods. Pure. */
export const paymentProviders = ["sandbox", "stripe"] as const satisfies readonly PaymentProvider["name"][];
export type PaymentProviderName = (typeof paymentProviders)[number];

export const paymentMethodTypes = ["card"] as const;
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/** The maximum number of payment methods of an account. */
export const maxPaymentMethods = 20;

/** Returns the display name of a method, such as `Visa •••• 4242`. */
export function methodName({ brand, lastFour }: { brand: string; lastFour: string }): string {
  return `${brand} •••• ${lastFour}`;
}

/** The message for a method of another provider. */
export const otherProviderMessage = "It was added with a different payment provider. Add it again.";

/** Returns whether a card has expired. A card is valid through the end of its month (UTC). */
export function isExpired(method: { expiresMonth: number; expiresYear: number }, now: Date): boolean {
  return now.getTime() >= Date.UTC(method.expiresYear, method.expiresMonth, 1);
}
