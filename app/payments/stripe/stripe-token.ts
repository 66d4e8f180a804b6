import { PaymentProviderError } from "../payment-provider.ts";

/** Money is taken by a customer's payment method: our token names both. Pure. */
export function tokenFor({ customer, method }: { customer: string; method: string }): string {
  return `${customer}/${method}`;
}

/** Throws a PaymentProviderError for what is no token of Stripe's. */
export function readToken(token: string): { customer: string; method: string } {
  const [, customer, method] = /^(cus_\w+)\/(\w+)$/.exec(token) ?? [];
  if (!customer || !method) throw new PaymentProviderError(new Error("no token of Stripe's"));
  return { customer, method };
}
