import type Stripe from "stripe";
import { env } from "#app/env.server.ts";
import type { MethodPage, MethodPageRequest, ProviderMethod } from "../payment-provider.ts";
import { askStripe, StripeRefusal } from "./ask-stripe.server.ts";
import { readToken, tokenFor } from "./stripe-token.ts";

/** Which customer of Stripe's an account is: kept by whoever has tables. */
export type StripeCustomers = {
  find: (owner: string) => Promise<string | undefined>;
  /** The new one in the place of the other, unless another process was first: gives the one that counts. */
  keep: (owner: string, customer: string, instead: string | undefined) => Promise<string>;
};

/** Opens Stripe's own page, so that no number of a card reaches us. */
export async function openMethodPage(customers: StripeCustomers, page: MethodPageRequest): Promise<MethodPage> {
  const known = await customers.find(page.owner);
  try {
    return await openPage(page, known ?? (await makeCustomer(customers, page.owner, undefined)));
  } catch (error) {
    // Deleted at Stripe, or of another of its accounts.
    const gone = known && error instanceof StripeRefusal && error.code === "resource_missing";
    if (!gone) throw error;
    return openPage(page, await makeCustomer(customers, page.owner, known));
  }
}

async function openPage({ owner, returnPath, cancelPath }: MethodPageRequest, customer: string): Promise<MethodPage> {
  const { publicUrl } = env();
  const session = await askStripe((stripe) =>
    stripe.checkout.sessions.create({
      mode: "setup",
      currency: "usd",
      customer,
      client_reference_id: owner,
      allowed_payment_method_types: ["card"],
      wallet_options: { link: { display: "never" } },
      // Stripe puts the session's id in the place of the braces.
      success_url: `${publicUrl}${returnPath}?setup={CHECKOUT_SESSION_ID}`,
      cancel_url: `${publicUrl}${cancelPath}`,
    }),
  );
  if (!session.url) throw new Error("a hosted page has an address");
  return { reference: session.id, url: session.url };
}

async function makeCustomer(customers: StripeCustomers, owner: string, instead: string | undefined): Promise<string> {
  const idempotencyKey = `customer/${owner}/${instead ?? "first"}`;
  const metadata = { endcap_account: owner };
  const { id } = await askStripe((stripe) => stripe.customers.create({ metadata }, { idempotencyKey }));
  return customers.keep(owner, id, instead);
}

/** What was added in a visit; only to the account that the visit was opened for. */
export async function readMethodPage({
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
  return method && typeof method !== "string" ? shown(method) : undefined;
}

/** How a way to pay stands at Stripe; undefined when it is nobody's any more. */
export async function readStripeMethod(token: string): Promise<ProviderMethod | undefined> {
  const method = await orUndefined((stripe) => stripe.paymentMethods.retrieve(readToken(token).method));
  return method && shown(method);
}

/** One that is gone already is forgotten. */
export async function forgetStripeMethod(token: string): Promise<void> {
  await orUndefined((stripe) => stripe.paymentMethods.detach(readToken(token).method));
}

async function orUndefined<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T | undefined> {
  try {
    return await askStripe(ask);
  } catch (error) {
    if (error instanceof StripeRefusal) return undefined;
    throw error;
  }
}

function shown({ id, card, customer: of }: Stripe.PaymentMethod): ProviderMethod | undefined {
  const customer = typeof of === "string" ? of : of?.id;
  if (!card || !customer) return undefined;
  const { last4: lastFour, exp_month: expiresMonth, exp_year: expiresYear } = card;
  const brand = brands[card.brand] ?? "Card";
  return { token: tokenFor({ customer, method: id }), brand, lastFour, type: "card", expiresMonth, expiresYear };
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
