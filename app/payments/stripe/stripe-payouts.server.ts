import type Stripe from "stripe";
import { PaymentProviderError } from "../payment-provider.ts";
import { askStripe, StripeFailure, StripeRefusal } from "./ask-stripe.server.ts";
import { readPayoutToken } from "./connected-account.ts";

/** Money for a publisher, in US cents. `attempt` counts the requests that Stripe refused: each other one has another key. */
export type StripePayout = { payoutId: string; amount: number; token: string; attempt: number };

const mostLookedAt = 1_000;

/**
 * Moves it to the publisher's account at Stripe, once: a transfer has the payout's name as its group, by which it is looked for
 * before it is made, since Stripe forgets keys after a day. Throws a StripeRefusal when nothing was moved.
 */
export async function sendTransfer({ payoutId, amount, token, attempt }: StripePayout): Promise<string> {
  const { account: destination } = readPayoutToken(token);
  const transfer_group = groupOf(payoutId);
  const find = async () => {
    const list = await askStripe((stripe) => stripe.transfers.list({ destination, transfer_group, limit: 100 }));
    return list.data.find(({ metadata }) => metadata.endcap_payout === payoutId);
  };
  const { id } = await once(find, () =>
    askStripe((stripe) =>
      stripe.transfers.create(
        { amount, currency: "usd", destination, transfer_group, metadata: { endcap_payout: payoutId } },
        { idempotencyKey: `${transfer_group}/transfer/${attempt}` },
      ),
    ),
  );
  return id;
}

/** How much of a transfer was taken back, by whomever, in cents. */
export async function readTransfer(transfer: string): Promise<{ amount: number; takenBack: number }> {
  const found = await knownTo((stripe) => stripe.transfers.retrieve(transfer));
  return { amount: found.amount, takenBack: found.amount_reversed };
}

/**
 * Takes back what is left of a transfer. What is taken back is read first, and never more than all of it can be. Throws a
 * StripeRefusal while the account has not enough to take it from.
 */
export async function takeBackTransfer(
  transfer: string,
  { payoutId, attempt }: Pick<StripePayout, "payoutId" | "attempt">,
): Promise<void> {
  const { amount, takenBack } = await readTransfer(transfer);
  if (takenBack >= amount) return;
  const input = { amount: amount - takenBack, metadata: { endcap_payout: payoutId } };
  const idempotencyKey = `${groupOf(payoutId)}/reversal/${attempt}`;
  await askStripe((stripe) => stripe.transfers.createReversal(transfer, input, { idempotencyKey }));
}

/** Sends it on to the bank that the publisher saw when the payout began; looked for before it is made, by the payout's name. */
export async function sendToBank(
  { payoutId, amount, token, attempt }: StripePayout,
  { since }: { since: Date },
): Promise<string> {
  const { account: stripeAccount, bank: destination } = readPayoutToken(token);
  const created = { gte: Math.floor(since.getTime() / 1_000) - 3_600 };
  const find = () =>
    askStripe(async (stripe) => {
      let seen = 0;
      for await (const payout of stripe.payouts.list({ created, limit: 100 }, { stripeAccount })) {
        seen += 1;
        if (payout.metadata?.endcap_payout === payoutId) return payout;
        if (seen >= mostLookedAt) throw new PaymentProviderError(new Error("more payouts than are looked through"));
      }
      return undefined;
    });
  const { id } = await once(find, () =>
    askStripe((stripe) =>
      stripe.payouts.create(
        { amount, currency: "usd", destination, metadata: { endcap_payout: payoutId } },
        { stripeAccount, idempotencyKey: `${groupOf(payoutId)}/payout/${attempt}` },
      ),
    ),
  );
  return id;
}

export type BankPayoutState = { state: "on_its_way" } | { state: "arrived" } | { state: "failed"; code: string | null };

/** How a payout to the bank stands. What arrived may still come back, within days. */
export async function readBankPayout(
  bankPayout: string,
  { token }: Pick<StripePayout, "token">,
): Promise<BankPayoutState> {
  const { account: stripeAccount } = readPayoutToken(token);
  const found = await knownTo((stripe) => stripe.payouts.retrieve(bankPayout, {}, { stripeAccount }));
  if (found.status === "canceled") return { state: "failed", code: "canceled" };
  if (found.status === "failed") return { state: "failed", code: found.failure_code };
  return { state: found.status === "paid" ? "arrived" : "on_its_way" };
}

/** What is there, or is made now. After a failure of Stripe's own it may be there all the same. */
async function once<T>(find: () => Promise<T | undefined>, make: () => Promise<T>): Promise<T> {
  const before = await find();
  if (before) return before;
  try {
    return await make();
  } catch (error) {
    const made = error instanceof StripeFailure ? await find() : undefined;
    if (made) return made;
    throw error;
  }
}

/** What was there once is there still: no as an answer is none. */
async function knownTo<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await askStripe(ask);
  } catch (error) {
    if (error instanceof StripeRefusal) throw new PaymentProviderError(error);
    throw error;
  }
}

/** The payout's name at Stripe, in front of all that is done for it. */
function groupOf(payoutId: string): string {
  return `payout/${payoutId}`;
}
