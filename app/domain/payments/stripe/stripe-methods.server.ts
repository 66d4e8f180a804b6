import type Stripe from "stripe";
import { env } from "#app/env.server.ts";
import type { ProviderMethod, SetupSession, SetupSessionRequest } from "../payment-provider.ts";
import { setupReturnUrl } from "../setup-return-url.ts";
import { callStripe, StripeRejection } from "./call-stripe.server.ts";
import { decodeMethodToken, encodeMethodToken } from "./stripe-token.ts";

/** The store of the Stripe customer of each account. */
export type StripeCustomers = {
  find: (owner: string) => Promise<string | undefined>;
  /**
   * Stores a new customer, in place of `instead` if given, unless another process stored one first. Returns the
   * customer that is stored.
   */
  save: (owner: string, customer: string, instead: string | undefined) => Promise<string>;
};

/** Starts a setup session on Stripe's own page, so that no card number reaches this app. */
export async function createStripeSetupSession(
  customers: StripeCustomers,
  page: SetupSessionRequest,
): Promise<SetupSession> {
  const existing = await customers.find(page.owner);
  try {
    return await createSession(page, existing ?? (await createCustomer(customers, page.owner, undefined)));
  } catch (error) {
    // The customer was deleted at Stripe, or belongs to another Stripe account.
    const isCustomerDeleted = existing && error instanceof StripeRejection && error.code === "resource_missing";
    if (!isCustomerDeleted) throw error;
    return createSession(page, await createCustomer(customers, page.owner, existing));
  }
}

async function createSession(
  { owner, returnPath, cancelPath }: SetupSessionRequest,
  customer: string,
): Promise<SetupSession> {
  const { publicUrl } = env();
  const session = await callStripe((stripe) =>
    stripe.checkout.sessions.create({
      mode: "setup",
      currency: "usd",
      customer,
      client_reference_id: owner,
      allowed_payment_method_types: ["card"],
      wallet_options: { link: { display: "never" } },
      // Stripe replaces the braces with the session ID.
      success_url: setupReturnUrl(`${publicUrl}${returnPath}`, "{CHECKOUT_SESSION_ID}"),
      cancel_url: `${publicUrl}${cancelPath}`,
    }),
  );
  if (!session.url) throw new Error(`Checkout session has no URL ${JSON.stringify({ id: session.id })}`);
  return { reference: session.id, url: session.url };
}

async function createCustomer(customers: StripeCustomers, owner: string, instead: string | undefined): Promise<string> {
  const idempotencyKey = `customer/${owner}/${instead ?? "first"}`;
  const metadata = { endcap_account: owner };
  const { id } = await callStripe((stripe) => stripe.customers.create({ metadata }, { idempotencyKey }));
  return customers.save(owner, id, instead);
}

/** Reads the payment method that a setup session added; undefined for another account, or an unfinished session. */
export async function readStripeSetupSession({
  reference,
  owner,
}: {
  reference: string;
  owner: string;
}): Promise<ProviderMethod | undefined> {
  if (!/^cs_\w+$/.test(reference)) return undefined;
  const session = await orUndefined((stripe) =>
    stripe.checkout.sessions.retrieve(reference, { expand: ["setup_intent.payment_method"] }),
  );
  if (session?.status !== "complete" || session.client_reference_id !== owner) return undefined;
  const { setup_intent: setup } = session;
  if (!setup || typeof setup === "string" || setup.status !== "succeeded") return undefined;
  const { payment_method: method } = setup;
  return method && typeof method !== "string" ? toProviderMethod(method) : undefined;
}

/** Reads a payment method; undefined when no customer has it any more. */
export async function readStripeMethod(token: string): Promise<ProviderMethod | undefined> {
  const method = await orUndefined((stripe) => stripe.paymentMethods.retrieve(decodeMethodToken(token).method));
  return method && toProviderMethod(method);
}

/** Detaches a payment method. No effect when Stripe no longer has it. */
export async function detachStripeMethod(token: string): Promise<void> {
  await orUndefined((stripe) => stripe.paymentMethods.detach(decodeMethodToken(token).method));
}

async function orUndefined<T>(call: (stripe: Stripe) => Promise<T>): Promise<T | undefined> {
  try {
    return await callStripe(call);
  } catch (error) {
    if (error instanceof StripeRejection) return undefined;
    throw error;
  }
}

function toProviderMethod({ id, card, customer: of }: Stripe.PaymentMethod): ProviderMethod | undefined {
  const customer = typeof of === "string" ? of : of?.id;
  if (!card || !customer) return undefined;
  const { last4: lastFour, exp_month: expiresMonth, exp_year: expiresYear } = card;
  const brand = brands[card.brand] ?? "Card";
  return {
    token: encodeMethodToken({ customer, method: id }),
    brand,
    lastFour,
    type: "card",
    expiresMonth,
    expiresYear,
  };
}

const brands: Record<string, string> = {
  amex: "American Express",
  cartes_bancaires: "Cartes Bancaires",
  diners: "Diners Club",
  discover: "Discover",
  eftpos_au: "eftpos",
  jcb: "JCB",
  link: "Link",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};
