import type { Charge } from "#app/payments/payment-provider.ts";
import type { topUps } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { LedgerTransactionId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import { bookInvoicePayment } from "../invoices/book-invoice-payment.server.ts";
import type { LedgerPosting } from "../ledger/ledger.ts";
import { ledgerAccountKey, lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

/**
 * Money that came in: for the invoice that it pays, or into the wallet, once for a payment of the provider's. What is owed is paid from the wallet then, as an
 * event of its own, so that cash and debts can each be followed. Within the caller's transaction.
 */
export async function bookTopUp(
  ctx: Ctx,
  { row, charge }: { row: typeof topUps.$inferSelect; charge: Charge },
): Promise<LedgerTransactionId> {
  const { accountId: ownerId, amountCents: amount, invoiceId } = row;
  if (invoiceId) {
    const payment = { invoiceId, ownerId, payment: `${row.provider}/${charge.paymentId}`, amount: toCents(amount) };
    return (await bookInvoicePayment(ctx, payment)).ledgerTransactionId;
  }
  const accounts = await lockLedgerAccounts(ctx, [
    { account: "cash" },
    { account: "advertiser_wallet", ownerId },
    { account: "advertiser_receivable", ownerId },
  ]);
  const owed = accounts.get(ledgerAccountKey({ account: "advertiser_receivable", ownerId }))?.balance ?? 0;
  const inWallet = amount - (accounts.get(ledgerAccountKey({ account: "advertiser_wallet", ownerId }))?.balance ?? 0);
  const topUp: LedgerPosting = {
    event: "top_up",
    eventKey: `top_up/${row.provider}/${charge.paymentId}`,
    legs: [
      { account: "cash", amount: toCents(amount) },
      { account: "advertiser_wallet", ownerId, amount: toCents(-amount) },
    ],
  };
  const paid = Math.min(inWallet, owed);
  const debt: LedgerPosting = {
    event: "debt_paid",
    eventKey: `debt_paid/${row.id}`,
    legs: [
      { account: "advertiser_wallet", ownerId, amount: toCents(paid) },
      { account: "advertiser_receivable", ownerId, amount: toCents(-paid) },
    ],
  };
  const posted = await postToLedger(ctx, { postings: paid > 0 ? [topUp, debt] : [topUp], accounts });
  const id = posted.get(topUp.eventKey);
  if (!id) throw new Error("a top-up that is not succeeded has no entries");
  return id;
}
