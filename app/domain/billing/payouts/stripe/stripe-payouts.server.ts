import { eq } from "drizzle-orm";
import { PaymentProviderError } from "#app/payments/payment-provider.ts";
import { StripeRefusal } from "#app/payments/stripe/ask-stripe.server.ts";
import { isOfPublisher, payoutWords } from "#app/payments/stripe/payout-words.ts";
import {
  type BankPayoutState,
  readBankPayout,
  readTransfer,
  type StripePayout,
  sendToBank,
  sendTransfer,
  takeBackTransfer,
} from "#app/payments/stripe/stripe-payouts.server.ts";
import { payouts, stripeTransfers } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import type { PayoutId } from "../../../ids.ts";
import { type FollowedTransfer, type PayoutProvider, PayoutProviderError } from "../payout-provider.ts";

/**
 * Payouts by Stripe (docs/decisions/0042): a transfer to the publisher's account there, then a payout from it to the bank. How far
 * each is stands in a row of its own, so that it goes on wherever it broke off; what fails takes its transfer back first.
 */
export const stripePayouts: PayoutProvider = {
  returnsWithinDays: 14,
  async send(ctx, { payoutId, amount, token }) {
    await ctx.db.insert(stripeTransfers).values({ payoutId }).onConflictDoNothing();
    const [row] = await ctx.db.select().from(stripeTransfers).where(eq(stripeTransfers.payoutId, payoutId));
    const { attempt = 0, transfer = null } = row ?? {};
    const sent = transfer ?? (await orRefusal(() => sendTransfer({ payoutId, amount, token, attempt })));
    if (!(sent instanceof StripeRefusal)) {
      await keep(ctx, payoutId, { transfer: sent, attempt: 0 });
      return { status: "accepted", reference: sent };
    }
    await keep(ctx, payoutId, { attempt: attempt + 1 });
    // What is missing here is the account that it goes to.
    const code = sent.code === "resource_missing" ? "account_invalid" : sent.code;
    if (isOfPublisher(code)) return { status: "failed", reason: payoutWords(code) };
    return { status: "waiting", problem: code };
  },
  async follow(ctx, reference) {
    const step = await readStep(ctx, reference);
    if (step.failure) return takeBack(ctx, step, step.failure);
    const stands = await standOf(ctx, step);
    if (stands.state === "arrived") return { status: "paid" };
    if (stands.state === "on_its_way")
      return { status: "in_transit", ...("problem" in stands && { problem: stands.problem }) };
    const failure = payoutWords(stands.code);
    await keep(ctx, step.payoutId, { failure, attempt: 0 });
    return takeBack(ctx, { ...step, attempt: 0 }, failure);
  },
};

type Step = StripePayout & {
  payoutId: PayoutId;
  createdAt: Date;
  transfer: string;
  bankPayout: string | null;
  failure: string | null;
};

async function readStep(ctx: Ctx<JobActor>, transfer: string): Promise<Step> {
  const [row] = await ctx.db
    .select({
      payoutId: payouts.id,
      amount: payouts.amountCents,
      token: payouts.token,
      createdAt: payouts.createdAt,
      attempt: stripeTransfers.attempt,
      bankPayout: stripeTransfers.bankPayout,
      failure: stripeTransfers.failure,
    })
    .from(stripeTransfers)
    .innerJoin(payouts, eq(payouts.id, stripeTransfers.payoutId))
    .where(eq(stripeTransfers.transfer, transfer));
  if (!row) throw new Error("Stripe was never sent this payout");
  return { ...row, transfer };
}

type Stand = BankPayoutState | { state: "on_its_way"; problem: string };

/** How it stands at the bank; it is sent there when it was not. Nothing is sent of what somebody took back by hand. */
async function standOf(ctx: Ctx<JobActor>, step: Step): Promise<Stand> {
  const { payoutId, bankPayout, attempt } = step;
  if (bankPayout) return asked(() => readBankPayout(bankPayout, step));
  if ((await asked(() => readTransfer(step.transfer))).takenBack > 0) return { state: "failed", code: "taken_back" };
  const sent = await orRefusal(() => sendToBank(step, { since: step.createdAt }));
  if (!(sent instanceof StripeRefusal)) {
    await keep(ctx, payoutId, { bankPayout: sent, attempt: 0 });
    return asked(() => readBankPayout(sent, step));
  }
  if (isOfPublisher(sent.code)) return { state: "failed", code: sent.code };
  await keep(ctx, payoutId, { attempt: attempt + 1 });
  return { state: "on_its_way", problem: sent.code };
}

/** The money lies in the publisher's account at Stripe: it is ours again before the publisher is told that it has it back. */
async function takeBack(ctx: Ctx<JobActor>, step: Step, reason: string): Promise<FollowedTransfer> {
  const refused = await orRefusal(() => takeBackTransfer(step.transfer, step));
  if (!(refused instanceof StripeRefusal)) return { status: "failed", reason };
  await keep(ctx, step.payoutId, { attempt: step.attempt + 1 });
  return { status: "in_transit", problem: refused.code };
}

async function keep(
  ctx: Ctx<JobActor>,
  payoutId: PayoutId,
  known: Partial<typeof stripeTransfers.$inferInsert>,
): Promise<void> {
  await ctx.db.update(stripeTransfers).set(known).where(eq(stripeTransfers.payoutId, payoutId));
}

async function orRefusal<T>(ask: () => Promise<T>): Promise<T | StripeRefusal> {
  try {
    return await asked(ask);
  } catch (error) {
    if (error instanceof StripeRefusal) return error;
    throw error;
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    throw new PayoutProviderError("Stripe gave no answer", { cause: error });
  }
}
