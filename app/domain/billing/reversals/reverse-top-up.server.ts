import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { TopUpId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { invoices, topUps } from "#db/schema/index.ts";
import { debtPostings } from "../ledger/debt-posting.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { syncFundsHolds } from "../wallet/sync-funds-holds.server.ts";
import { readBookedReversals } from "./booked-reversals.server.ts";
import { recordReversalStep } from "./record-reversal-step.server.ts";
import { type Reversal, type ReversalStep, reversalStepsFor } from "./reversal.ts";

type TopUpRow = typeof topUps.$inferSelect;
/** How many steps were booked, and what is beyond the payment, or of none that is in the books. */
export type ReversalResult = { steps: number; excess: Cents };

/**
 * Posts the disputes and refunds of a top-up or an invoice payment. A reversal reopens the invoice that the payment
 * paid; otherwise it is charged to the wallet, and what the wallet does not cover becomes debt, which puts delivery on
 * hold. A reinstatement pays the open amount of the invoice first, then goes into the wallet and pays debt from there.
 * Safe to repeat.
 */
export async function reverseTopUp(
  ctx: Ctx<JobActor>,
  { id, reversals }: { id: TopUpId; reversals: readonly Reversal[] },
): Promise<ReversalResult> {
  const { accountId, ...result } = await inTransaction(ctx, async (tx) => {
    const [row] = await tx.db.select().from(topUps).where(eq(topUps.id, id)).for("no key update");
    invariant(row, "top_ups row vanished", { id });
    const { booked, reopened } = await readBookedReversals(tx, { topUpId: id });
    const paid = asCents(row.status === "succeeded" ? row.amountCents : 0);
    const { steps, excess } = reversalStepsFor(paid, { reversals, booked });
    let open = reopened;
    for (const step of steps) open = asCents(open + (await postStep(tx, { row, step, reopened: open })));
    return { accountId: row.accountId, steps: steps.length, excess };
  });
  if (result.steps > 0) await syncFundsHolds(ctx, [accountId]);
  return result;
}

/** Posts one step. Returns the amount, in cents, by which it reopens the invoice; negative when it pays the invoice. */
async function postStep(
  ctx: Ctx<JobActor>,
  { row, step, reopened }: { row: TopUpRow; step: ReversalStep; reopened: Cents },
): Promise<Cents> {
  const { id, accountId: ownerId, provider, transactionId } = row;
  const accounts = await lockLedgerAccounts(ctx, [
    { account: "cash" },
    { account: "advertiser_wallet", ownerId },
    { account: "advertiser_receivable", ownerId },
  ]);
  const funds = toAdvertiserFunds(ownerId, accounts);
  const reopenedByStep = await reopenOrPayInvoice(ctx, { row, step, reopened });
  // The part that concerns no invoice is charged to the wallet up to its balance; a reinstatement goes into the wallet
  // in full.
  const rest = step.amount - reopenedByStep;
  const walletAmount = rest > 0 ? Math.min(rest, funds.wallet) : rest;
  const legs: LedgerLeg[] = [
    { account: "advertiser_wallet", ownerId, amount: asCents(walletAmount) },
    { account: "advertiser_receivable", ownerId, amount: asCents(step.amount - walletAmount) },
  ];
  const left = {
    wallet: asCents(funds.wallet - walletAmount),
    owed: asCents(funds.owed + step.amount - walletAmount),
  };
  const debt = step.amount < 0 ? debtPostings(ownerId, left, `${provider}/${step.reference}/${step.number}`) : [];
  await recordReversalStep(ctx, {
    step,
    payment: { topUpId: id },
    accountId: ownerId,
    provider,
    transactionId,
    legs,
    accounts,
    reopened: reopenedByStep,
    entity: "top_up",
    entityId: id,
    followed: debt,
  });
  await ctx.db
    .update(topUps)
    .set({ reversedCents: sql`${topUps.reversedCents} + ${step.amount}` })
    .where(eq(topUps.id, id));
  return reopenedByStep;
}

/**
 * Reopens the payment's invoice by the reversed amount, or pays it with the reinstated one. Returns the change of the
 * open amount, in cents. Call it with the receivable account locked, before posting.
 */
async function reopenOrPayInvoice(
  ctx: Ctx<JobActor>,
  { row, step, reopened }: { row: TopUpRow; step: ReversalStep; reopened: Cents },
): Promise<Cents> {
  if (!row.invoiceId) return asCents(0);
  const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, row.invoiceId));
  invariant(invoice, "invoices row vanished", { id: row.invoiceId });
  const change =
    step.amount > 0
      ? Math.min(step.amount, (await readAmountAppliedToInvoice(ctx, row)) - reopened)
      : -Math.min(-step.amount, reopened, invoice.openCents);
  if (change === 0) return asCents(0);
  const open = invoice.openCents + change;
  const at = ctx.clock().toISOString();
  await ctx.db
    .update(invoices)
    .set({
      openCents: open,
      reopenedCents: invoice.reopenedCents + change,
      paidAt: open === 0 ? sql`${at}::timestamptz` : null,
    })
    .where(eq(invoices.id, invoice.id));
  return asCents(change);
}

const paidRow = z.object({ cents: z.string() });

/** Returns the amount that the payment applied to its invoice, in cents; the rest went into the wallet. */
async function readAmountAppliedToInvoice(ctx: Ctx, { invoiceId, provider, paymentId }: TopUpRow): Promise<number> {
  const [row] = await queryRows(
    ctx.db,
    paidRow,
    sql`
      select coalesce(-sum(entry.amount_cents), 0)::text as cents from ledger_transactions posted
      join ledger_entries entry on entry.transaction_id = posted.id
      join ledger_accounts account on account.id = entry.account_id and account.kind = 'advertiser_receivable'
      where posted.event_key = ${`invoice_paid/${invoiceId}/${provider}/${paymentId}`}`,
  );
  return Number(row?.cents ?? 0);
}
