import { and, eq, inArray } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { AccountId, PayoutId } from "#app/domain/ids.ts";
import { asCents, type Cents, centsToDollars } from "#app/domain/money.ts";
import { inLongTransaction } from "#app/domain/transaction.server.ts";
import { payouts, planOffsets, revenueShares, transactions } from "#db/schema/index.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { type LockedLedgerAccounts, lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { openPayoutStatuses } from "./payout.ts";

type OpenPayout = { id: PayoutId; publisherId: AccountId; amount: Cents };

/**
 * Marks a payout and its revenue shares as paid. The payout is checked again at `dueAt`. Returns false when the payout
 * had already ended.
 */
export async function settlePayout(ctx: Ctx<JobActor>, payout: OpenPayout & { dueAt: Date | null }): Promise<boolean> {
  const { id, publisherId, amount, dueAt } = payout;
  return inLongTransaction(ctx, async (tx) => {
    if (!(await endPayout(tx, id, { status: "paid", failure: null, dueAt }))) return false;
    await tx.db.update(revenueShares).set({ status: "paid" }).where(eq(revenueShares.payoutId, id));
    const accounts = await lockLedgerAccounts(tx, [{ account: "in_transit" }, { account: "cash" }]);
    const ledgerTransactionId = await post(tx, `payout_settled/${id}`, accounts, [
      { account: "in_transit", amount },
      { account: "cash", amount: asCents(-amount) },
    ]);
    await updateTransaction(tx, id, { status: "succeeded", ledgerTransactionId });
    const after = { amount: centsToDollars(amount) };
    await recordAudit(tx, { action: "payout.paid", entity: "payout", entityId: id, accountId: publisherId, after });
    return true;
  });
}

/**
 * Marks a payout as failed: the amount goes back to the publisher's balance, and the payout's lines are free for
 * another payout. Returns false when the payout had already ended.
 */
export async function failPayout(ctx: Ctx<JobActor>, payout: OpenPayout & { reason: string }): Promise<boolean> {
  const { id, publisherId, amount, reason } = payout;
  return inLongTransaction(ctx, async (tx) => {
    const ofPublisher = { account: "publisher_payable" as const, ownerId: publisherId };
    const own = await lockLedgerAccounts(tx, [ofPublisher]);
    if (!(await endPayout(tx, id, { status: "failed", failure: reason, dueAt: null }))) return false;
    await tx.db.update(revenueShares).set({ payoutId: null }).where(eq(revenueShares.payoutId, id));
    await tx.db.update(planOffsets).set({ payoutId: null }).where(eq(planOffsets.payoutId, id));
    const shared = await lockLedgerAccounts(tx, [{ account: "in_transit" }]);
    await post(tx, `payout_failed/${id}`, new Map([...own, ...shared]), [
      { account: "in_transit", amount },
      { ...ofPublisher, amount: asCents(-amount) },
    ]);
    await updateTransaction(tx, id, { status: "failed", ledgerTransactionId: null });
    const after = { amount: centsToDollars(amount), reason };
    await recordAudit(tx, { action: "payout.failed", entity: "payout", entityId: id, accountId: publisherId, after });
    return true;
  });
}

async function endPayout(
  ctx: Ctx<JobActor>,
  id: PayoutId,
  outcome: { status: "paid" | "failed"; failure: string | null; dueAt: Date | null },
): Promise<boolean> {
  const rows = await ctx.db
    .update(payouts)
    .set({ ...outcome, failures: 0, endedAt: ctx.clock() })
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

async function updateTransaction(
  ctx: Ctx<JobActor>,
  id: PayoutId,
  update: Pick<typeof transactions.$inferInsert, "status" | "ledgerTransactionId">,
): Promise<void> {
  await ctx.db
    .update(transactions)
    .set(update)
    .where(and(eq(transactions.payoutId, id), eq(transactions.status, "pending")));
}
