import { eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx } from "#app/domain/context.ts";
import { type AccountId, newId, type PaymentReversalId, type TransactionId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { asCents, type Cents, centsToDollars } from "#app/domain/money.ts";
import { paymentReversals, transactions } from "#db/schema/index.ts";
import type { LedgerLeg, LedgerPosting } from "../ledger/ledger.ts";
import type { LockedLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import type { PaymentProviderName } from "../payment-methods/payment-method.ts";
import type { ReversedPayment } from "./booked-reversals.server.ts";
import type { ReversalReason, ReversalStep } from "./reversal.ts";

type Step = {
  step: ReversalStep;
  payment: ReversedPayment;
  accountId: AccountId;
  provider: PaymentProviderName;
  /** The account's transaction of the payment. */
  transactionId: TransactionId;
  /** The entity of the audit entry: a top-up, or a plan. */
  entity: "top_up" | "subscription";
  entityId: string;
  /** The legs beside the one of our cash account. */
  legs: readonly LedgerLeg[];
  /** Postings that follow in the same transaction. */
  followed?: readonly LedgerPosting[];
  reopened?: Cents;
  accounts: LockedLedgerAccounts;
};

/**
 * Posts a step of a dispute or refund, with its row, the account's transaction and an audit entry. Call it within the
 * caller's transaction.
 */
export async function recordReversalStep(ctx: Ctx, input: Step): Promise<void> {
  const { step, accountId, provider, accounts, followed = [] } = input;
  const event = step.amount > 0 ? ("payment_reversed" as const) : ("payment_reinstated" as const);
  const eventKey = `${event}/${provider}/${step.reference}/${step.number}`;
  const cash: LedgerLeg = { account: "cash", amount: asCents(-step.amount) };
  const legs = [cash, ...input.legs].filter(({ amount }) => amount !== 0);
  const posted = await postToLedger(ctx, {
    postings: [{ event, eventKey, legs }, ...followed],
    accounts,
  });
  const ledgerTransactionId = posted.get(eventKey);
  invariant(ledgerTransactionId, "reversal step already posted without its row", { eventKey });
  const { reference, number, reason, amount: amountCents } = step;
  await ctx.db.insert(paymentReversals).values({
    id: newId<PaymentReversalId>(),
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
    description: await describeReversalStep(ctx, input),
    amountCents: -amountCents,
    createdAt: ctx.clock(),
  });
  await recordAudit(ctx, {
    action: actions[input.entity][event],
    entity: input.entity,
    entityId: input.entityId,
    accountId,
    after: { amount: centsToDollars(asCents(Math.abs(amountCents))), by: reason, reference },
    notificationFacts: { isDispute: reason === "dispute" },
  });
}

const actions = {
  top_up: { payment_reversed: "top_up.reversed", payment_reinstated: "top_up.reinstated" },
  subscription: {
    payment_reversed: "subscription.payment_reversed",
    payment_reinstated: "subscription.payment_reinstated",
  },
} as const;

const descriptions: Record<ReversalReason, { reversed: string; reinstated: string }> = {
  dispute: { reversed: "Payment disputed", reinstated: "Payment reinstated" },
  refund: { reversed: "Payment refunded", reinstated: "Refund failed" },
};

/** Returns the description of a step: what happened to which payment. */
async function describeReversalStep(ctx: Ctx, { step, transactionId }: Step): Promise<string> {
  const { reversed, reinstated } = descriptions[step.reason];
  const [line] = await ctx.db
    .select({ description: transactions.description })
    .from(transactions)
    .where(eq(transactions.id, transactionId));
  return `${step.amount > 0 ? reversed : reinstated}: ${line?.description ?? "a payment"}`;
}
