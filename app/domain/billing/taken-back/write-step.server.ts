import { eq } from "drizzle-orm";
import { paymentsTakenBack, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx } from "../../context.ts";
import { type AccountId, newId, type TakenBackId, type TransactionId } from "../../ids.ts";
import { type Cents, dollarsOf, toCents } from "../../money.ts";
import type { LedgerLeg, LedgerPosting } from "../ledger/ledger.ts";
import type { LockedLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import type { PaymentProviderName } from "../payments/payment-method.ts";
import type { TakenPayment } from "./booked-takings.server.ts";
import type { TakenBackReason, TakingStep } from "./taken-back.ts";

type Step = {
  step: TakingStep;
  payment: TakenPayment;
  accountId: AccountId;
  provider: PaymentProviderName;
  /** The account's line of the payment. */
  transactionId: TransactionId;
  /** Whom the entry is about in the audit trail: a top-up, or a plan. */
  entity: "top_up" | "subscription";
  entityId: string;
  /** What the money does beside leaving, or coming into, our cash. */
  legs: readonly LedgerLeg[];
  /** What follows in the books at once. */
  followed?: LedgerPosting;
  reopened?: Cents;
  accounts: LockedLedgerAccounts;
};

/** Books a step of a dispute or refund, with its row, the account's line of it and an entry for the operator. Within the caller's transaction. */
export async function writeStep(ctx: Ctx, input: Step): Promise<void> {
  const { step, accountId, provider, accounts, followed } = input;
  const event = step.amount > 0 ? ("payment_taken_back" as const) : ("payment_reinstated" as const);
  const eventKey = `${event}/${provider}/${step.reference}/${step.number}`;
  const cash: LedgerLeg = { account: "cash", amount: toCents(-step.amount) };
  const legs = [cash, ...input.legs].filter(({ amount }) => amount !== 0);
  const posted = await postToLedger(ctx, {
    postings: [{ event, eventKey, legs }, ...(followed ? [followed] : [])],
    accounts,
  });
  const ledgerTransactionId = posted.get(eventKey);
  if (!ledgerTransactionId) throw new Error("a step that has no row has no entries");
  const { reference, number, reason, amount: amountCents } = step;
  await ctx.db.insert(paymentsTakenBack).values({
    id: newId<TakenBackId>(),
    accountId,
    ...input.payment,
    provider,
    reference,
    number,
    reason,
    amountCents,
    reopenedCents: input.reopened ?? 0,
    ledgerTransactionId,
    createdAt: ctx.clock(),
  });
  await ctx.db.insert(transactions).values({
    id: newId<TransactionId>(),
    accountId,
    type: "adjustment",
    status: "succeeded",
    ledgerTransactionId,
    description: await wordsFor(ctx, input),
    amountCents: -amountCents,
    createdAt: ctx.clock(),
  });
  await recordAudit(ctx, {
    action: actions[input.entity][event],
    entity: input.entity,
    entityId: input.entityId,
    accountId,
    after: { amount: dollarsOf(toCents(Math.abs(amountCents))), by: reason, reference },
    told: { isDispute: reason === "dispute" },
  });
}

const actions = {
  top_up: { payment_taken_back: "top_up.taken_back", payment_reinstated: "top_up.reinstated" },
  subscription: {
    payment_taken_back: "subscription.payment_taken_back",
    payment_reinstated: "subscription.payment_reinstated",
  },
} as const;

const words: Record<TakenBackReason, { taken: string; back: string }> = {
  dispute: { taken: "Taken back by your bank", back: "Not taken back after all" },
  refund: { taken: "Given back to you", back: "Could not be given back" },
};

/** What it is, and of what: `Taken back by your bank: Wallet top-up, Visa •••• 4242`. */
async function wordsFor(ctx: Ctx, { step, transactionId }: Step): Promise<string> {
  const { taken, back } = words[step.reason];
  const [line] = await ctx.db
    .select({ description: transactions.description })
    .from(transactions)
    .where(eq(transactions.id, transactionId));
  return `${step.amount > 0 ? taken : back}: ${line?.description ?? "a payment"}`;
}
