import { PaymentProviderError } from "../payment-provider.ts";

/** Encodes our payment token, which names a Stripe customer and its payment method. Pure. */
export function encodeMethodToken({ customer, method }: { customer: string; method: string }): string {
  return `${customer}/${method}`;
}

/** Decodes a payment token. Throws a PaymentProviderError for an invalid token. */
export function decodeMethodToken(token: string): { customer: string; method: string } {
  const [, customer, method] = /^(cus_\w+)\/(\w+)$/.exec(token) ?? [];
  if (!customer || !method) throw new PaymentProviderError(new Error("payment token is not a Stripe token"));
  return { customer, method };
}
