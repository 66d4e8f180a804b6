import { eq } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { PaymentProviderError } from "#app/domain/payments/payment-provider.ts";
import { StripeRejection } from "#app/domain/payments/stripe/call-stripe.server.ts";
import { describePayoutFailure, isPublisherFixable } from "#app/domain/payments/stripe/payout-failure-copy.ts";
import {
  type BankPayoutState,
  createBankPayout,
  readBankPayout,
  readTransfer,
  reverseTransfer,
  type StripePayout,
  sendTransfer,
} from "#app/domain/payments/stripe/stripe-payouts.server.ts";
import { payouts, stripeTransfers } from "#db/schema/index.ts";
import { type PayoutProvider, PayoutProviderError, type TransferStatus } from "../payout-provider.ts";

/**
 * Payouts through Stripe (docs/decisions/0042): a transfer to the publisher's connected account, then a payout from it
 * to the bank. The progress of each is stored in its own row, so that an interrupted payout resumes. A failed payout
 * reverses its transfer first.
 */
export const stripePayouts: PayoutProvider = {
  returnWindowDays: 14,
  async send(ctx, { payoutId, amount, token }) {
    await ctx.db.insert(stripeTransfers).values({ payoutId }).onConflictDoNothing();
    const [row] = await ctx.db.select().from(stripeTransfers).where(eq(stripeTransfers.payoutId, payoutId));
    const { attempt = 0, transfer = null } = row ?? {};
    const sendResult = transfer ?? (await orRejection(() => sendTransfer({ payoutId, amount, token, attempt })));
    if (!(sendResult instanceof StripeRejection)) {
      await saveProgress(ctx, payoutId, { transfer: sendResult, attempt: 0 });
      return { status: "accepted", reference: sendResult };
    }
    await saveProgress(ctx, payoutId, { attempt: attempt + 1 });
    // Here the missing resource is the destination account.
    const code = sendResult.code === "resource_missing" ? "account_invalid" : sendResult.code;
    if (isPublisherFixable(code)) return { status: "failed", reason: describePayoutFailure(code) };
    return { status: "waiting", problem: code };
  },
  async getStatus(ctx, reference) {
    const step = await readStep(ctx, reference);
    if (step.failure) return reverseAndFail(ctx, step, step.failure);
    const bankState = await bankPayoutStatus(ctx, step);
    if (bankState.state === "arrived") return { status: "paid" };
    if (bankState.state === "on_its_way")
      return { status: "in_transit", ...("problem" in bankState && { problem: bankState.problem }) };
    const failure = describePayoutFailure(bankState.code);
    await saveProgress(ctx, step.payoutId, { failure, attempt: 0 });
    return reverseAndFail(ctx, { ...step, attempt: 0 }, failure);
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
  if (!row) throw new Error(`stripe_transfers row vanished ${JSON.stringify({ transfer })}`);
  return { ...row, transfer };
}

type BankState = BankPayoutState | { state: "on_its_way"; problem: string };

/**
 * Returns the state of the payout to the bank; the first call creates it. A transfer that was reversed manually is not
 * paid out.
 */
async function bankPayoutStatus(ctx: Ctx<JobActor>, step: Step): Promise<BankState> {
  const { payoutId, bankPayout, attempt } = step;
  if (bankPayout) return withPayoutError(() => readBankPayout(bankPayout, step));
  if ((await withPayoutError(() => readTransfer(step.transfer))).reversed > 0)
    return { state: "failed", code: "taken_back" };
  const sendResult = await orRejection(() => createBankPayout(step, { since: step.createdAt }));
  if (!(sendResult instanceof StripeRejection)) {
    await saveProgress(ctx, payoutId, { bankPayout: sendResult, attempt: 0 });
    return withPayoutError(() => readBankPayout(sendResult, step));
  }
  if (isPublisherFixable(sendResult.code)) return { state: "failed", code: sendResult.code };
  await saveProgress(ctx, payoutId, { attempt: attempt + 1 });
  return { state: "on_its_way", problem: sendResult.code };
}

/** Reverses the transfer to the connected account before the payout is reported as failed. */
async function reverseAndFail(ctx: Ctx<JobActor>, step: Step, reason: string): Promise<TransferStatus> {
  const rejection = await orRejection(() => reverseTransfer(step.transfer, step));
  if (!(rejection instanceof StripeRejection)) return { status: "failed", reason };
  await saveProgress(ctx, step.payoutId, { attempt: step.attempt + 1 });
  return { status: "in_transit", problem: rejection.code };
}

async function saveProgress(
  ctx: Ctx<JobActor>,
  payoutId: PayoutId,
  known: Partial<typeof stripeTransfers.$inferInsert>,
): Promise<void> {
  await ctx.db.update(stripeTransfers).set(known).where(eq(stripeTransfers.payoutId, payoutId));
}

async function orRejection<T>(call: () => Promise<T>): Promise<T | StripeRejection> {
  try {
    return await withPayoutError(call);
  } catch (error) {
    if (error instanceof StripeRejection) return error;
    throw error;
  }
}

async function withPayoutError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    throw new PayoutProviderError("Stripe did not respond", { cause: error });
  }
}
