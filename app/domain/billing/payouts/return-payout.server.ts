import { and, eq } from "drizzle-orm";
import { payouts, planOffsets, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { type AccountId, newId, type PayoutId, type TransactionId } from "../../ids.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

type PaidPayout = { id: PayoutId; publisherId: AccountId; bank: string; lastFour: string; amount: Cents };

/**
 * Records that the bank returned a paid payout: the amount goes back to the publisher's balance, and the payout's lines
 * are free for another payout. The original transaction is kept; an adjustment records the return. Returns false when
 * the payout is not paid.
 */
export async function returnPayout(ctx: Ctx<JobActor>, payout: PaidPayout & { reason: string }): Promise<boolean> {
  const { id, publisherId, amount, reason } = payout;
  return inLongTransaction(ctx, async (tx) => {
    const ofPublisher = { account: "publisher_payable" as const, ownerId: publisherId };
    const own = await lockLedgerAccounts(tx, [ofPublisher]);
    const now = tx.clock();
    const returned = await tx.db
      .update(payouts)
      .set({ status: "failed", failure: reason, returnedAt: now, dueAt: null })
      .where(and(eq(payouts.id, id), eq(payouts.status, "paid")));
    if (returned.count === 0) return false;
    await tx.db.update(revenueShares).set({ status: "pending", payoutId: null }).where(eq(revenueShares.payoutId, id));
    await tx.db.update(planOffsets).set({ payoutId: null }).where(eq(planOffsets.payoutId, id));
    const shared = await lockLedgerAccounts(tx, [{ account: "cash" }]);
    const legs = [
      { account: "cash" as const, amount },
      { ...ofPublisher, amount: asCents(-amount) },
    ];
    const eventKey = `payout_returned/${id}`;
    const accounts = new Map([...own, ...shared]);
    const posted = await postToLedger(tx, { postings: [{ event: "payout_returned", eventKey, legs }], accounts });
    await tx.db.insert(transactions).values({
      id: newId<TransactionId>(),
      accountId: publisherId,
      type: "adjustment",
      status: "succeeded",
      description: `Payout to ${payout.bank} ending ${payout.lastFour} returned`,
      amountCents: -amount,
      ledgerTransactionId: posted.get(eventKey) ?? null,
      createdAt: now,
    });
    const after = { amount: centsToDollars(amount), reason };
    await recordAudit(tx, { action: "payout.returned", entity: "payout", entityId: id, accountId: publisherId, after });
    return true;
  });
}
