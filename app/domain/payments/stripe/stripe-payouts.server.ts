import type Stripe from "stripe";
import { PaymentProviderError } from "../payment-provider.ts";
import { callStripe, StripeRejection, StripeServerError } from "./call-stripe.server.ts";
import { decodePayoutToken } from "./connected-account.ts";

/**
 * A payout to a publisher; `amount` is in US cents. `attempt` counts the requests that Stripe rejected: each retry uses
 * another idempotency key.
 */
export type StripePayout = { payoutId: string; amount: number; token: string; attempt: number };

const maxScanned = 1_000;

/**
 * Transfers the amount to the publisher's connected account, once. The transfer group identifies the payout; an
 * existing transfer is searched for first, because Stripe forgets keys after a day. Returns the transfer's ID. Throws a
 * StripeRejection when nothing was transferred.
 */
export async function sendTransfer({ payoutId, amount, token, attempt }: StripePayout): Promise<string> {
  const { account: destination } = decodePayoutToken(token);
  const transfer_group = transferGroup(payoutId);
  const find = async () => {
    const list = await callStripe((stripe) => stripe.transfers.list({ destination, transfer_group, limit: 100 }));
    return list.data.find(({ metadata }) => metadata.endcap_payout === payoutId);
  };
  const { id } = await findOrCreate(find, () =>
    callStripe((stripe) =>
      stripe.transfers.create(
        { amount, currency: "usd", destination, transfer_group, metadata: { endcap_payout: payoutId } },
        { idempotencyKey: `${transfer_group}/transfer/${attempt}` },
      ),
    ),
  );
  return id;
}

/** Returns the amount of a transfer and the reversed part of it, in cents. */
export async function readTransfer(transfer: string): Promise<{ amount: number; reversed: number }> {
  const retrieved = await readExisting((stripe) => stripe.transfers.retrieve(transfer));
  return { amount: retrieved.amount, reversed: retrieved.amount_reversed };
}

/**
 * Reverses the rest of a transfer. The reversed part is read first, so that a repetition reverses nothing more. Throws
 * a StripeRejection while the connected account's balance is too low.
 */
export async function reverseTransfer(
  transfer: string,
  { payoutId, attempt }: Pick<StripePayout, "payoutId" | "attempt">,
): Promise<void> {
  const { amount, reversed } = await readTransfer(transfer);
  if (reversed >= amount) return;
  const input = { amount: amount - reversed, metadata: { endcap_payout: payoutId } };
  const idempotencyKey = `${transferGroup(payoutId)}/reversal/${attempt}`;
  await callStripe((stripe) => stripe.transfers.createReversal(transfer, input, { idempotencyKey }));
}

/**
 * Pays the amount out to the bank account that the payout was started with. An existing payout is searched for first,
 * by our payout ID. Returns the bank payout's ID.
 */
export async function createBankPayout(
  { payoutId, amount, token, attempt }: StripePayout,
  { since }: { since: Date },
): Promise<string> {
  const { account: stripeAccount, bank: destination } = decodePayoutToken(token);
  const created = { gte: Math.floor(since.getTime() / 1_000) - 3_600 };
  const find = () =>
    callStripe(async (stripe) => {
      let seen = 0;
      for await (const payout of stripe.payouts.list({ created, limit: 100 }, { stripeAccount })) {
        seen += 1;
        if (payout.metadata?.endcap_payout === payoutId) return payout;
        if (seen >= maxScanned)
          throw new PaymentProviderError(new Error(`payout not found among the first ${maxScanned} of the account`));
      }
      return undefined;
    });
  const { id } = await findOrCreate(find, () =>
    callStripe((stripe) =>
      stripe.payouts.create(
        { amount, currency: "usd", destination, metadata: { endcap_payout: payoutId } },
        { stripeAccount, idempotencyKey: `${transferGroup(payoutId)}/payout/${attempt}` },
      ),
    ),
  );
  return id;
}

export type BankPayoutState = { state: "on_its_way" } | { state: "arrived" } | { state: "failed"; code: string | null };

/** Reads the state of a bank payout. A payout that arrived can still be returned within days. */
export async function readBankPayout(
  bankPayout: string,
  { token }: Pick<StripePayout, "token">,
): Promise<BankPayoutState> {
  const { account: stripeAccount } = decodePayoutToken(token);
  const retrieved = await readExisting((stripe) => stripe.payouts.retrieve(bankPayout, {}, { stripeAccount }));
  if (retrieved.status === "canceled") return { state: "failed", code: "canceled" };
  if (retrieved.status === "failed") return { state: "failed", code: retrieved.failure_code };
  return { state: retrieved.status === "paid" ? "arrived" : "on_its_way" };
}

/**
 * Returns the existing object, or creates it. After a server error of Stripe it may have been created all the same, so
 * it is searched for again.
 */
async function findOrCreate<T>(find: () => Promise<T | undefined>, create: () => Promise<T>): Promise<T> {
  const existing = await find();
  if (existing) return existing;
  try {
    return await create();
  } catch (error) {
    const created = error instanceof StripeServerError ? await find() : undefined;
    if (created) return created;
    throw error;
  }
}

/** Objects we created are never deleted at Stripe, so a rejection here means that we do not know the state. */
async function readExisting<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await callStripe(call);
  } catch (error) {
    if (error instanceof StripeRejection) throw new PaymentProviderError(error);
    throw error;
  }
}

/** Returns the transfer group of a payout, which is also the prefix of its idempotency keys. */
function transferGroup(payoutId: string): string {
  return `payout/${payoutId}`;
}
