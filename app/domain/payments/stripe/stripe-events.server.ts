import type Stripe from "stripe";
import { stripeClient, stripeSettings } from "./stripe-client.server.ts";
import { encodeMethodToken } from "./stripe-token.ts";

/**
 * The subject of a Stripe event. Events arrive twice, late and in any order, so the subject's current state is always
 * read from Stripe.
 */
export type StripeEventSubject =
  | { kind: "page"; reference: string }
  /**
   * `key` is the idempotency key of the charge, if it is one of ours; `paidBy` the customer, if the payment succeeded.
   */
  | { kind: "payment"; paymentId: string; key: string | undefined; paidBy: string | undefined }
  | { kind: "method"; customer: string; token: string }
  /**
   * A payment was disputed, refunded or reinstated: `reference` is the ID of the dispute or refund, if the event names
   * it.
   */
  | { kind: "dispute" | "refund"; paymentId: string; reference: string | undefined }
  /** A connected account changed. */
  | { kind: "account"; account: string }
  /** `account` is the connected account that the event came from; undefined for our own. */
  | { kind: "payout"; payoutId: string; account: string | undefined }
  | { kind: "nothing" };

export type StripeEvent = { id: string; type: string; subject: StripeEventSubject };

/** The maximum age of an event, in seconds, by its signature. */
const toleranceSeconds = 300;

/** Parses an event from its raw body; undefined when the signature is invalid or the event too old. */
export async function readStripeEvent({
  body,
  signature,
}: {
  body: Buffer;
  signature: string;
}): Promise<StripeEvent | undefined> {
  const { webhooks } = await stripeClient();
  const { webhookSecret, connectSecret } = stripeSettings();
  // Events of our own account and of connected accounts come from two Stripe endpoints, each with its own secret.
  for (const secret of [webhookSecret, connectSecret ?? []].flat()) {
    try {
      const event = webhooks.constructEvent(body, signature, secret, toleranceSeconds);
      return { id: String(event.id), type: String(event.type), subject: subjectOf(event) };
    } catch {}
  }
  return undefined;
}

function subjectOf(event: Stripe.Event): StripeEventSubject {
  switch (event.type) {
    case "checkout.session.completed":
      return { kind: "page", reference: event.data.object.id };
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.requires_action":
    case "payment_intent.processing":
    case "payment_intent.canceled": {
      const { id: paymentId, metadata, customer } = event.data.object;
      const paidBy = event.type === "payment_intent.succeeded" ? idOf(customer) : undefined;
      return { kind: "payment", paymentId, key: metadata.endcap_key, paidBy };
    }
    case "payment_method.updated":
    case "payment_method.automatically_updated":
      return toMethodSubject(event.data.object, event.data.object.customer);
    case "payment_method.detached":
      return toMethodSubject(event.data.object, event.data.previous_attributes?.customer ?? null);
    case "charge.refunded":
      return toPaymentSubject("refund", { payment_intent: event.data.object.payment_intent });
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.refund.updated":
      return toPaymentSubject("refund", event.data.object);
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
    case "charge.dispute.closed":
      return toPaymentSubject("dispute", event.data.object);
    case "account.updated":
      return { kind: "account", account: event.data.object.id };
    case "payout.paid":
    case "payout.failed":
    case "payout.canceled":
    case "transfer.reversed": {
      const payoutId = event.data.object.metadata?.endcap_payout;
      return payoutId ? { kind: "payout", payoutId, account: event.account } : { kind: "nothing" };
    }
    default:
      return { kind: "nothing" };
  }
}

type Expandable = string | { id: string } | null;

function toMethodSubject({ id }: { id: string }, of: Expandable): StripeEventSubject {
  const customer = idOf(of);
  return customer
    ? { kind: "method", customer, token: encodeMethodToken({ customer, method: id }) }
    : { kind: "nothing" };
}

function toPaymentSubject(
  about: "dispute" | "refund",
  of: { id?: string; payment_intent: Expandable },
): StripeEventSubject {
  const paymentId = idOf(of.payment_intent);
  return paymentId ? { kind: about, paymentId, reference: of.id } : { kind: "nothing" };
}

function idOf(expandable: Expandable): string | undefined {
  return typeof expandable === "string" ? expandable : expandable?.id;
}
