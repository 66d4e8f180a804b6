import { and, eq, inArray } from "drizzle-orm";
import { nettedPlans, payouts, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AccountId, PayoutId } from "../../ids.ts";
import { type Cents, dollarsOf, toCents } from "../../money.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { type LockedLedgerAccounts, lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { openPayoutStatuses } from "./payout.ts";

type OpenPayout = { id: PayoutId; publisherId: AccountId; amount: Cents };

/** The money arrived: the payout and its revenue shares are paid. It is looked at again at `dueAt`. False when it had ended before. */
export async function settlePayout(ctx: Ctx<JobActor>, payout: OpenPayout & { dueAt: Date | null }): Promise<boolean> {
  const { id, publisherId, amount, dueAt } = payout;
  return inLongTransaction(ctx, async (tx) => {
    const accounts = await lockLedgerAccounts(tx, [{ account: "in_transit" }, { account: "cash" }]);
    if (!(await end(tx, id, { status: "paid", failure: null, dueAt }))) return false;
    const ledgerTransactionId = await post(tx, `payout_settled/${id}`, accounts, [
      { account: "in_transit", amount },
      { account: "cash", amount: toCents(-amount) },
    ]);
    await tx.db.update(revenueShares).set({ status: "paid" }).where(eq(revenueShares.payoutId, id));
    await tell(tx, id, { status: "succeeded", ledgerTransactionId });
    const after = { amount: dollarsOf(amount) };
    await recordAudit(tx, { action: "payout.paid", entity: "payout", entityId: id, accountId: publisherId, after });
    return true;
  });
}

/** The money did not arrive: it is the publisher's balance again, and its lines are free for another payout. False when it had ended before. */
export async function failPayout(ctx: Ctx<JobActor>, payout: OpenPayout & { reason: string }): Promise<boolean> {
  const { id, publisherId, amount, reason } = payout;
  return inLongTransaction(ctx, async (tx) => {
    const ofPublisher = { account: "publisher_payable" as const, ownerId: publisherId };
    const accounts = await lockLedgerAccounts(tx, [ofPublisher, { account: "in_transit" }]);
    if (!(await end(tx, id, { status: "failed", failure: reason, dueAt: null }))) return false;
    await post(tx, `payout_failed/${id}`, accounts, [
      { account: "in_transit", amount },
      { ...ofPublisher, amount: toCents(-amount) },
    ]);
    await tx.db.update(revenueShares).set({ payoutId: null }).where(eq(revenueShares.payoutId, id));
    await tx.db.update(nettedPlans).set({ payoutId: null }).where(eq(nettedPlans.payoutId, id));
    await tell(tx, id, { status: "failed", ledgerTransactionId: null });
    const after = { amount: dollarsOf(amount), reason };
    await recordAudit(tx, { action: "payout.failed", entity: "payout", entityId: id, accountId: publisherId, after });
    return true;
  });
}

async function end(
  ctx: Ctx<JobActor>,
  id: PayoutId,
  ended: { status: "paid" | "failed"; failure: string | null; dueAt: Date | null },
): Promise<boolean> {
  const rows = await ctx.db
    .update(payouts)
    .set({ ...ended, failures: 0, endedAt: ctx.clock() })
    .where(and(eq(payouts.id, id), inArray(payouts.status, [...openPayoutStatuses])))
    .returning({ id: payouts.id });
  return rows.length > 0;
}

async function post(
  ctx: Ctx<JobActor>,
  eventKey: `payout_${"settled" | "failed"}/${PayoutId}`,
  accounts: LockedLedgerAccounts,
  legs: LedgerLeg[],
) {
  const event = eventKey.startsWith("payout_settled") ? "payout_settled" : "payout_failed";
  const posted = await postToLedger(ctx, { postings: [{ event, eventKey, legs }], accounts });
  return posted.get(eventKey) ?? null;
}

async function tell(
  ctx: Ctx<JobActor>,
  id: PayoutId,
  told: Pick<typeof transactions.$inferInsert, "status" | "ledgerTransactionId">,
): Promise<void> {
  await ctx.db
    .update(transactions)
    .set(told)
    .where(and(eq(transactions.payoutId, id), eq(transactions.status, "pending")));
}
