import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId, InvoiceId, LedgerTransactionId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { invoices } from "#db/schema/index.ts";
import { debtPostings } from "../ledger/debt-posting.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

/**
 * Posts a payment that was received for an invoice, once per payment, within the caller's transaction. The payment
 * settles the open amount; any excess goes into the wallet and pays other debt from there, as a top-up does. Returns
 * the amount applied to the invoice, in cents.
 */
export async function postInvoicePayment(
  ctx: Ctx,
  input: { invoiceId: InvoiceId; ownerId: AccountId; payment: string; amount: Cents | "all" },
): Promise<{ ledgerTransactionId: LedgerTransactionId; paid: Cents }> {
  const { invoiceId, ownerId } = input;
  const accounts = await lockLedgerAccounts(ctx, [
    { account: "cash" },
    { account: "advertiser_wallet", ownerId },
    { account: "advertiser_receivable", ownerId },
  ]);
  const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, invoiceId));
  invariant(invoice, "invoices row vanished", { id: invoiceId });
  const amount = input.amount === "all" ? asCents(invoice.openCents) : input.amount;
  const paid = asCents(Math.min(amount, invoice.openCents));
  await ctx.db
    .update(invoices)
    .set({
      openCents: invoice.openCents - paid,
      paidAt: sql`coalesce(${invoices.paidAt}, ${paidAt(ctx, invoice, paid)})`,
    })
    .where(eq(invoices.id, invoiceId));
  const legs: LedgerLeg[] = [
    { account: "cash", amount },
    { account: "advertiser_receivable", ownerId, amount: asCents(-paid || 0) },
    { account: "advertiser_wallet", ownerId, amount: asCents(paid - amount) },
  ];
  const eventKey = `invoice_paid/${invoiceId}/${input.payment}`;
  const payment = { event: "invoice_paid" as const, eventKey, legs: legs.filter((leg) => leg.amount !== 0) };
  const { wallet, owed } = toAdvertiserFunds(ownerId, accounts);
  const left = { wallet: asCents(wallet + amount - paid), owed: asCents(owed - paid) };
  const debt = debtPostings(ownerId, left, `${invoiceId}/${input.payment}`);
  const ledgerTransactionId = (await postToLedger(ctx, { postings: [payment, ...debt], accounts })).get(eventKey);
  invariant(ledgerTransactionId, "invoice payment was already posted", { eventKey });
  return { ledgerTransactionId, paid };
}

function paidAt(ctx: Ctx, { openCents }: { openCents: number }, paid: Cents) {
  return openCents === paid ? sql`${ctx.clock().toISOString()}::timestamptz` : sql`null::timestamptz`;
}
