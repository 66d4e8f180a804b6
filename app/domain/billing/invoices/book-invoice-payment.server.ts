import { eq, sql } from "drizzle-orm";
import { invoices } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId, InvoiceId, LedgerTransactionId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

/**
 * Money that came in for an invoice: it pays what is open of it, once for a payment; where that became less meanwhile, the rest goes
 * into the wallet. Within the caller's transaction. Gives how much of the invoice it paid.
 */
export async function bookInvoicePayment(
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
  if (!invoice) throw new Error("an invoice stays");
  const amount = input.amount === "all" ? toCents(invoice.openCents) : input.amount;
  const paid = toCents(Math.min(amount, invoice.openCents));
  await ctx.db
    .update(invoices)
    .set({
      openCents: invoice.openCents - paid,
      paidAt: sql`coalesce(${invoices.paidAt}, ${paidAt(ctx, invoice, paid)})`,
    })
    .where(eq(invoices.id, invoiceId));
  const legs: LedgerLeg[] = [
    { account: "cash", amount },
    { account: "advertiser_receivable", ownerId, amount: toCents(-paid || 0) },
    { account: "advertiser_wallet", ownerId, amount: toCents(paid - amount) },
  ];
  const eventKey = `invoice_paid/${invoiceId}/${input.payment}`;
  const postings = [{ event: "invoice_paid" as const, eventKey, legs: legs.filter((leg) => leg.amount !== 0) }];
  const ledgerTransactionId = (await postToLedger(ctx, { postings, accounts })).get(eventKey);
  if (!ledgerTransactionId) throw new Error("a payment that is not succeeded has no entries");
  return { ledgerTransactionId, paid };
}

function paidAt(ctx: Ctx, { openCents }: { openCents: number }, paid: Cents) {
  return openCents === paid ? sql`${ctx.clock().toISOString()}::timestamptz` : sql`null::timestamptz`;
}
