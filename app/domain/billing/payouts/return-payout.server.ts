import { and, eq } from "drizzle-orm";
import { nettedPlans, payouts, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { type AccountId, newId, type PayoutId, type TransactionId } from "../../ids.ts";
import { type Cents, dollarsOf, toCents } from "../../money.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

type PaidPayout = { id: PayoutId; publisherId: AccountId; bank: string; lastFour: string; amount: Cents };

/**
 * The money had arrived and the bank sent it back: it is the publisher's balance again, and its lines are free for another payout. What
 * was booked stays; a line of its own says that it came back. False when it was no payout that arrived.
 */
export async function returnPayout(ctx: Ctx<JobActor>, payout: PaidPayout & { reason: string }): Promise<boolean> {
  const { id, publisherId, amount, reason } = payout;
  return inLongTransaction(ctx, async (tx) => {
    const ofPublisher = { account: "publisher_payable" as const, ownerId: publisherId };
    const accounts = await lockLedgerAccounts(tx, [ofPublisher, { account: "cash" }]);
    const now = tx.clock();
    const returned = await tx.db
      .update(payouts)
      .set({ status: "failed", failure: reason, returnedAt: now, dueAt: null })
      .where(and(eq(payouts.id, id), eq(payouts.status, "paid")));
    if (returned.count === 0) return false;
    const legs = [
      { account: "cash" as const, amount },
      { ...ofPublisher, amount: toCents(-amount) },
    ];
    const eventKey = `payout_returned/${id}`;
    const posted = await postToLedger(tx, { postings: [{ event: "payout_returned", eventKey, legs }], accounts });
    await tx.db.update(revenueShares).set({ status: "pending", payoutId: null }).where(eq(revenueShares.payoutId, id));
    await tx.db.update(nettedPlans).set({ payoutId: null }).where(eq(nettedPlans.payoutId, id));
    await tx.db.insert(transactions).values({
      id: newId<TransactionId>(),
      accountId: publisherId,
      type: "adjustment",
      status: "succeeded",
      description: `Payout to ${payout.bank} ending ${payout.lastFour} came back`,
      amountCents: -amount,
      ledgerTransactionId: posted.get(eventKey) ?? null,
      createdAt: now,
    });
    const after = { amount: dollarsOf(amount), reason };
    await recordAudit(tx, { action: "payout.returned", entity: "payout", entityId: id, accountId: publisherId, after });
    return true;
  });
}
