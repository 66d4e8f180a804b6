import type Stripe from "stripe";
import { stripeClient, stripeSettings } from "./stripe-client.server.ts";
import { tokenFor } from "./stripe-token.ts";

/** Of what there is news. What the news is, Stripe is asked: messages come twice, late and in any order. */
export type StripeNews =
  | { about: "page"; reference: string }
  /** `key` is the charge's, where it is one of ours. */
  | { about: "payment"; paymentId: string; key: string | undefined }
  | { about: "method"; customer: string; token: string }
  /** Money that was paid is gone again, or held back, or came back after all: `reference` is the dispute's or refund's, where it is said. */
  | { about: "dispute" | "refund"; paymentId: string; reference: string | undefined }
  /** Of an account that is paid. */
  | { about: "account"; account: string }
  /** `account` is the one that it was paid from; undefined for ours. */
  | { about: "payout"; payoutId: string; account: string | undefined }
  | { about: "nothing" };

export type StripeEvent = { id: string; type: string; news: StripeNews };

/** In seconds: a message that is older, by its signature, is none. */
const tolerance = 300;

/** Reads a message as it came, byte for byte; undefined when it is not Stripe's to us, or too old. */
export async function readStripeEvent({
  body,
  signature,
}: {
  body: Buffer;
  signature: string;
}): Promise<StripeEvent | undefined> {
  const { webhooks } = await stripeClient();
  const { webhookSecret, connectSecret } = stripeSettings();
  // News of our own account and of those that are paid come from two of Stripe's endpoints, each with a secret of its own.
  for (const secret of [webhookSecret, connectSecret ?? []].flat()) {
    try {
      const event = webhooks.constructEvent(body, signature, secret, tolerance);
      return { id: String(event.id), type: String(event.type), news: newsOf(event) };
    } catch {}
  }
  return undefined;
}

function newsOf(event: Stripe.Event): StripeNews {
  switch (event.type) {
    case "checkout.session.completed":
      return { about: "page", reference: event.data.object.id };
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.requires_action":
    case "payment_intent.processing":
    case "payment_intent.canceled": {
      const { id: paymentId, metadata } = event.data.object;
      return { about: "payment", paymentId, key: metadata.endcap_key };
    }
    case "payment_method.updated":
    case "payment_method.automatically_updated":
      return methodNews(event.data.object, event.data.object.customer);
    case "payment_method.detached":
      return methodNews(event.data.object, event.data.previous_attributes?.customer ?? null);
    case "charge.refunded":
      return paymentNews("refund", { payment_intent: event.data.object.payment_intent });
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.refund.updated":
      return paymentNews("refund", event.data.object);
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
    case "charge.dispute.closed":
      return paymentNews("dispute", event.data.object);
    case "account.updated":
      return { about: "account", account: event.data.object.id };
    case "payout.paid":
    case "payout.failed":
    case "payout.canceled":
    case "transfer.reversed": {
      const payoutId = event.data.object.metadata?.endcap_payout;
      return payoutId ? { about: "payout", payoutId, account: event.account } : { about: "nothing" };
    }
    default:
      return { about: "nothing" };
  }
}

type Named = string | { id: string } | null;

function methodNews({ id }: { id: string }, of: Named): StripeNews {
  const customer = idOf(of);
  return customer ? { about: "method", customer, token: tokenFor({ customer, method: id }) } : { about: "nothing" };
}

function paymentNews(about: "dispute" | "refund", of: { id?: string; payment_intent: Named }): StripeNews {
  const paymentId = idOf(of.payment_intent);
  return paymentId ? { about, paymentId, reference: of.id } : { about: "nothing" };
}

function idOf(named: Named): string | undefined {
  return typeof named === "string" ? named : named?.id;
}
