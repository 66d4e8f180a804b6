import type Stripe from "stripe";
import { env } from "#app/env.server.ts";
import { type Charge, type ChargeRequest, PaymentProviderError } from "../payment-provider.ts";
import { askStripe, StripeFailure, StripeRefusal } from "./ask-stripe.server.ts";
import { declineWords } from "./decline-words.ts";
import { chargeOf, wantsConfirmation } from "./stripe-charge.ts";
import { readToken } from "./stripe-token.ts";

/** Stripe keeps keys for at least a day; what is nearly that old is looked for by name. */
const keysAreKeptMs = 20 * 3_600_000;
const [longAgoMs, mostLookedAt] = [90 * 86_400_000, 1_000];

/**
 * Takes money, once for a key: Stripe answers the same key the same for a day, and a payment has the key in its metadata, by
 * which it is found later, and when Stripe failed and would go on answering with that failure.
 */
export async function chargeByStripe(request: ChargeRequest, now: Date): Promise<Charge> {
  const age = request.askedAt ? now.getTime() - request.askedAt.getTime() : Number.POSITIVE_INFINITY;
  const before = age < keysAreKeptMs ? undefined : await findIntent(request, now);
  const intent = before ?? (await createIntent(request, now));
  if ("state" in intent) return intent;
  return stand(wantsConfirmation(intent) ? await askPerson(request, intent) : intent);
}

/** How it stands. What waits for something that nobody can do here is ended: nothing was charged then. */
async function stand(intent: Stripe.PaymentIntent): Promise<Charge> {
  return chargeOf(intent) ?? cancelByStripe(intent.id);
}

export async function readByStripe(paymentId: string): Promise<Charge> {
  return stand(await retrieve(paymentId));
}

/** Ends it, unless it ended otherwise meanwhile. */
export async function cancelByStripe(paymentId: string): Promise<Charge> {
  try {
    return orNoAnswer(chargeOf(await askStripe((stripe) => stripe.paymentIntents.cancel(paymentId))));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return orNoAnswer(chargeOf(await retrieve(paymentId)));
  }
}

async function createIntent(request: ChargeRequest, now: Date): Promise<Stripe.PaymentIntent | Charge> {
  const { key, amount, description, unattended } = request;
  const { customer, method } = readToken(request.token);
  try {
    return await askStripe((stripe) =>
      stripe.paymentIntents.create(
        {
          amount,
          currency: "usd",
          customer,
          payment_method: method,
          description,
          confirm: true,
          // Neither Stripe's scripts nor ours are needed: where the bank asks, Stripe gives an address to send the person to.
          allowed_payment_method_types: ["card"],
          metadata: { endcap_key: key },
          ...(unattended ? { off_session: true } : { return_url: returnUrl(request) }),
        },
        { idempotencyKey: key },
      ),
    );
  } catch (error) {
    if (error instanceof StripeRefusal) return error.intent ?? refused(error);
    const found = error instanceof StripeFailure ? await findIntent(request, now) : undefined;
    if (found) return found;
    throw error;
  }
}

/** The same payment again, with the person there. */
async function askPerson(request: ChargeRequest, { id }: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const { method } = readToken(request.token);
  try {
    const confirm = { payment_method: method, return_url: returnUrl(request) };
    return await askStripe((stripe) =>
      stripe.paymentIntents.confirm(id, confirm, { idempotencyKey: `${request.key}/confirm` }),
    );
  } catch (error) {
    if (error instanceof StripeRefusal) return retrieve(id);
    throw error;
  }
}

async function findIntent(
  { key, token, askedAt }: ChargeRequest,
  now: Date,
): Promise<Stripe.PaymentIntent | undefined> {
  const { customer } = readToken(token);
  const since = askedAt ? askedAt.getTime() - 3_600_000 : now.getTime() - longAgoMs;
  return askStripe(async (stripe) => {
    let seen = 0;
    const created = { gte: Math.floor(since / 1_000) };
    for await (const intent of stripe.paymentIntents.list({ customer, created, limit: 100 })) {
      seen += 1;
      if (intent.metadata.endcap_key === key) return intent;
      if (seen >= mostLookedAt) throw new PaymentProviderError(new Error("more payments than are looked through"));
    }
    return undefined;
  });
}

async function retrieve(paymentId: string): Promise<Stripe.PaymentIntent> {
  try {
    return await askStripe((stripe) => stripe.paymentIntents.retrieve(paymentId));
  } catch (error) {
    if (error instanceof StripeRefusal) throw new PaymentProviderError(error);
    throw error;
  }
}

/** Stripe made no payment of it. */
function refused({ code }: StripeRefusal): Charge {
  return { state: "declined", paymentId: null, reason: declineWords(code) };
}

function orNoAnswer(charge: Charge | undefined): Charge {
  if (!charge) throw new PaymentProviderError(new Error("a payment that can neither go on nor end"));
  return charge;
}

function returnUrl({ returnPath }: ChargeRequest): string {
  return `${env().publicUrl}${returnPath}`;
}
