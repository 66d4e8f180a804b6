import { and, eq, exists, isNull, not } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { repayments, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { type AccountId, newId, type RepaymentId, type TransactionId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import type { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { repaymentDescription, repaymentReversalDescription } from "./payout.ts";

/** Returns the repayment that is recorded for a reference and not reversed. The caller holds the lock of `cash`. */
export async function findStandingRepayment(ctx: Ctx, reference: string) {
  const reversal = alias(repayments, "reversal");
  const isReversed = exists(
    ctx.db.select({ id: reversal.id }).from(reversal).where(eq(reversal.reversesId, repayments.id)),
  );
  const isStanding = and(eq(repayments.reference, reference), isNull(repayments.reversesId), not(isReversed));
  const [standing] = await ctx.db.select().from(repayments).where(isStanding);
  return standing;
}

type Posting = {
  publisherId: AccountId;
  /** The bank's reference of the transfer. */
  reference: string;
  amount: Cents;
  occurrence: number;
  /** The repayment that is reversed; the amount is then negative. */
  reversesId?: RepaymentId;
  accounts: Awaited<ReturnType<typeof lockLedgerAccounts>>;
};

/** Inserts a repayment or a reversal, with its ledger entries, its transaction and its audit entry. */
export async function postRepayment(
  tx: Ctx<OperatorActor>,
  { publisherId, reference, occurrence, reversesId, amount, accounts }: Posting,
): Promise<void> {
  const [id, createdAt] = [newId<RepaymentId>(), tx.clock()];
  const event = reversesId ? "repayment_reversed" : "repayment";
  const eventKey = `${event}/${id}`;
  const legs = [
    { account: "cash" as const, amount },
    { account: "publisher_payable" as const, ownerId: publisherId, amount: asCents(-amount) },
  ];
  const ledgerTransactionId = (await postToLedger(tx, { postings: [{ event, eventKey, legs }], accounts })).get(
    eventKey,
  );
  invariant(ledgerTransactionId, "repayment was not posted", { id });
  await tx.db.insert(repayments).values({
    id,
    publisherId,
    reference,
    occurrence,
    reversesId: reversesId ?? null,
    amountCents: amount,
    ledgerTransactionId,
    createdAt,
  });
  await tx.db.insert(transactions).values({
    id: newId<TransactionId>(),
    accountId: publisherId,
    type: "adjustment",
    status: "succeeded",
    description: `${reversesId ? repaymentReversalDescription : repaymentDescription}, reference ${reference}`,
    amountCents: -amount,
    ledgerTransactionId,
    createdAt,
  });
  await recordAudit(tx, {
    action: reversesId ? "account.repayment_reversed" : "account.repaid",
    entity: "account",
    entityId: publisherId,
    accountId: publisherId,
    after: { amount: centsToDollars(asCents(Math.abs(amount))), reference },
  });
}
