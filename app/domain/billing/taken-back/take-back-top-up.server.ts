import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { invoices, topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { TopUpId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { LedgerLeg, LedgerPosting } from "../ledger/ledger.ts";
import { fundsOf, lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { refreshFunds } from "../wallet/refresh-funds.server.ts";
import { readBookedTakings } from "./booked-takings.server.ts";
import { stepsFor, type Taking, type TakingStep } from "./taken-back.ts";
import { writeStep } from "./write-step.server.ts";

type TopUpRow = typeof topUps.$inferSelect;
/** How many steps were booked, and what is beyond the payment, or of none that is in the books. */
export type TakenBack = { steps: number; beyond: Cents };

/**
 * Brings the books in line with what a bank, or somebody at the provider's, took of a top-up or of an invoice's payment. An invoice is
 * open again by it; else it is taken from the wallet as far as that goes, and the rest is owed, so that what is not there holds
 * delivery. What comes back pays what is still open of its invoice, then goes into the wallet, and pays debts from there. As often as one likes.
 */
export async function takeBackTopUp(
  ctx: Ctx<JobActor>,
  { id, takings }: { id: TopUpId; takings: readonly Taking[] },
): Promise<TakenBack> {
  const { accountId, ...done } = await inTransaction(ctx, async (tx) => {
    const [row] = await tx.db.select().from(topUps).where(eq(topUps.id, id)).for("no key update");
    if (!row) throw new Error("a top-up stays");
    const { booked, reopened } = await readBookedTakings(tx, { topUpId: id });
    const paid = toCents(row.status === "succeeded" ? row.amountCents : 0);
    const { steps, beyond } = stepsFor(paid, { takings, booked });
    let open = reopened;
    for (const step of steps) open = toCents(open + (await bookStep(tx, { row, step, reopened: open })));
    return { accountId: row.accountId, steps: steps.length, beyond };
  });
  if (done.steps > 0) await refreshFunds(ctx, [accountId]);
  return done;
}

/** Gives by how much the payment's invoice is open more than before. */
async function bookStep(
  ctx: Ctx<JobActor>,
  { row, step, reopened }: { row: TopUpRow; step: TakingStep; reopened: Cents },
): Promise<Cents> {
  const { id, accountId: ownerId, provider, transactionId } = row;
  const accounts = await lockLedgerAccounts(ctx, [
    { account: "cash" },
    { account: "advertiser_wallet", ownerId },
    { account: "advertiser_receivable", ownerId },
  ]);
  const funds = fundsOf(ownerId, accounts);
  const again = await moveInvoice(ctx, { row, step, reopened });
  // Of what no invoice is about, the wallet bears as much as is in it, and gets all that comes back.
  const rest = step.amount - again;
  const ofWallet = rest > 0 ? Math.min(rest, funds.wallet) : rest;
  const legs: LedgerLeg[] = [
    { account: "advertiser_wallet", ownerId, amount: toCents(ofWallet) },
    { account: "advertiser_receivable", ownerId, amount: toCents(step.amount - ofWallet) },
  ];
  const debt = Math.min(funds.wallet - ofWallet, funds.owed + step.amount - ofWallet);
  const debtPaid: LedgerPosting = {
    event: "debt_paid",
    eventKey: `debt_paid/${provider}/${step.reference}/${step.number}`,
    legs: [
      { account: "advertiser_wallet", ownerId, amount: toCents(debt) },
      { account: "advertiser_receivable", ownerId, amount: toCents(-debt) },
    ],
  };
  await writeStep(ctx, {
    step,
    payment: { topUpId: id },
    accountId: ownerId,
    provider,
    transactionId,
    legs,
    accounts,
    reopened: again,
    entity: "top_up",
    entityId: id,
    followed: step.amount < 0 && debt > 0 ? debtPaid : undefined,
  });
  await ctx.db
    .update(topUps)
    .set({ takenBackCents: sql`${topUps.takenBackCents} + ${step.amount}` })
    .where(eq(topUps.id, id));
  return again;
}

/**
 * Opens the payment's invoice again by what it paid of it, or pays it again. Gives by how much; with the advertiser's debt locked, before
 * its entries.
 */
async function moveInvoice(
  ctx: Ctx<JobActor>,
  { row, step, reopened }: { row: TopUpRow; step: TakingStep; reopened: Cents },
): Promise<Cents> {
  if (!row.invoiceId) return toCents(0);
  const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, row.invoiceId));
  if (!invoice) throw new Error("an invoice stays");
  const change =
    step.amount > 0
      ? Math.min(step.amount, (await paidOfInvoice(ctx, row)) - reopened)
      : -Math.min(-step.amount, reopened, invoice.openCents);
  if (change === 0) return toCents(0);
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
  return toCents(change);
}

const paidRow = z.object({ cents: z.string() });

/** What the payment paid of its invoice when it came in, in cents: the rest of it went into the wallet. */
async function paidOfInvoice(ctx: Ctx, { invoiceId, provider, paymentId }: TopUpRow): Promise<number> {
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
