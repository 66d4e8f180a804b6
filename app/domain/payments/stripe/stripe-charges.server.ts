import type Stripe from "stripe";
import { env } from "#app/env.server.ts";
import {
  type Charge,
  type ChargeRequest,
  PaymentConfigurationError,
  PaymentProviderError,
} from "../payment-provider.ts";
import { callStripe, StripeRejection, StripeServerError } from "./call-stripe.server.ts";
import { chargeFromIntent, requiresConfirmation } from "./charge-from-intent.ts";
import { describeDecline, isDeclineCode } from "./decline-copy.ts";
import { decodeMethodToken } from "./stripe-token.ts";

/**
 * Stripe stores idempotency keys for at least a day. A charge older than this, in milliseconds, is searched for by its
 * metadata.
 */
const idempotencyKeyTtlMs = 20 * 3_600_000;
const [maxAgeMs, maxScanned] = [90 * 86_400_000, 1_000];

/**
 * Creates a charge, once per key. Stripe repeats its response for the same key for a day. The PaymentIntent has the key
 * in its metadata, by which it is found later, and after a server error that Stripe would keep repeating.
 */
export async function createStripeCharge(request: ChargeRequest, now: Date): Promise<Charge> {
  const age = request.firstRequestedAt ? now.getTime() - request.firstRequestedAt.getTime() : Number.POSITIVE_INFINITY;
  const existing = age < idempotencyKeyTtlMs ? undefined : await findIntent(request, now);
  const intent = existing ?? (await createIntent(request, now));
  if ("state" in intent) return intent;
  return chargeOrConfirm(request, intent);
}

/** Returns the charge of an intent; one that the bank wants confirmed is confirmed again with the user. */
async function chargeOrConfirm(request: ChargeRequest, intent: Stripe.PaymentIntent): Promise<Charge> {
  return chargeOrCancel(requiresConfirmation(intent) ? await confirmWithUser(request, intent) : intent);
}

/**
 * Returns the charge of an intent. An intent that waits for something that nobody here can do is canceled; nothing was
 * charged.
 */
async function chargeOrCancel(intent: Stripe.PaymentIntent): Promise<Charge> {
  return chargeFromIntent(intent) ?? cancelStripeCharge(intent.id);
}

/** An event reports an intent that the bank wants confirmed as failed, often before it is confirmed with the user. */
export async function readStripeCharge(paymentId: string, request?: ChargeRequest): Promise<Charge> {
  const intent = await retrieve(paymentId);
  return request ? chargeOrConfirm(request, intent) : chargeOrCancel(intent);
}

/** Cancels an intent, unless it reached a final state meanwhile. */
export async function cancelStripeCharge(paymentId: string): Promise<Charge> {
  try {
    return finalCharge(await callStripe((stripe) => stripe.paymentIntents.cancel(paymentId)));
  } catch (error) {
    if (!(error instanceof StripeRejection)) throw error;
    return finalCharge(await retrieve(paymentId));
  }
}

async function createIntent(request: ChargeRequest, now: Date): Promise<Stripe.PaymentIntent | Charge> {
  const { key, amount, description, offSession } = request;
  const { customer, method } = decodeMethodToken(request.token);
  try {
    return await callStripe((stripe) =>
      stripe.paymentIntents.create(
        {
          amount,
          currency: "usd",
          customer,
          payment_method: method,
          description,
          confirm: true,
          // No scripts are needed: where the bank requires confirmation, Stripe returns a URL to redirect to.
          allowed_payment_method_types: ["card"],
          metadata: { endcap_key: key },
          ...(offSession ? { off_session: true } : { return_url: returnUrl(request) }),
        },
        { idempotencyKey: key },
      ),
    );
  } catch (error) {
    if (error instanceof StripeRejection) return error.intent ?? declinedCharge(error);
    const existingIntent = error instanceof StripeServerError ? await findIntent(request, now) : undefined;
    if (existingIntent) return existingIntent;
    throw error;
  }
}

/** Confirms the same intent again with the user present. */
async function confirmWithUser(request: ChargeRequest, { id }: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const { method } = decodeMethodToken(request.token);
  try {
    const confirm = { payment_method: method, return_url: returnUrl(request) };
    return await callStripe((stripe) =>
      stripe.paymentIntents.confirm(id, confirm, { idempotencyKey: `${request.key}/confirm` }),
    );
  } catch (error) {
    if (error instanceof StripeRejection) return retrieve(id);
    throw error;
  }
}

async function findIntent(
  { key, token, firstRequestedAt }: ChargeRequest,
  now: Date,
): Promise<Stripe.PaymentIntent | undefined> {
  const { customer } = decodeMethodToken(token);
  const since = firstRequestedAt ? firstRequestedAt.getTime() - 3_600_000 : now.getTime() - maxAgeMs;
  const search = callStripe(async (stripe) => {
    let seen = 0;
    const created = { gte: Math.floor(since / 1_000) };
    for await (const intent of stripe.paymentIntents.list({ customer, created, limit: 100 })) {
      seen += 1;
      if (intent.metadata.endcap_key === key) return intent;
      if (seen >= maxScanned)
        throw new PaymentProviderError(
          new Error(`PaymentIntent not found among the first ${maxScanned} of the customer`),
        );
    }
    return undefined;
  });
  try {
    return await search;
  } catch (error) {
    if (error instanceof StripeRejection) throw new PaymentConfigurationError(error.cause, { isUncharged: false });
    throw error;
  }
}

async function retrieve(paymentId: string): Promise<Stripe.PaymentIntent> {
  try {
    return await callStripe((stripe) => stripe.paymentIntents.retrieve(paymentId));
  } catch (error) {
    if (error instanceof StripeRejection) throw new PaymentProviderError(error);
    throw error;
  }
}

/**
 * Returns a declined charge for a request for which Stripe created no intent. Throws a PaymentConfigurationError when
 * Stripe rejected the request for a reason that is not the payer's.
 */
function declinedCharge(rejection: StripeRejection): Charge {
  const { code, isDecline } = rejection;
  if (!isDecline && !isDeclineCode(code)) throw new PaymentConfigurationError(rejection.cause, { isUncharged: true });
  return { state: "declined", paymentId: null, reason: describeDecline(code) };
}

function finalCharge(intent: Stripe.PaymentIntent): Charge {
  const charge = chargeFromIntent(intent);
  if (charge) return charge;
  const { id, status } = intent;
  const cause = new Error(`PaymentIntent cannot be confirmed or canceled ${JSON.stringify({ id, status })}`);
  throw new PaymentProviderError(cause);
}

function returnUrl({ returnPath }: ChargeRequest): string {
  return `${env().publicUrl}${returnPath}`;
}
