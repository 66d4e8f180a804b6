import type { Ctx } from "#app/domain/context.ts";
import type { LedgerTransactionId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { asCents } from "#app/domain/money.ts";
import type { Charge } from "#app/domain/payments/payment-provider.ts";
import type { topUps } from "#db/schema/index.ts";
import { postInvoicePayment } from "../invoices/post-invoice-payment.server.ts";
import { debtPostings } from "../ledger/debt-posting.ts";
import type { LedgerPosting } from "../ledger/ledger.ts";
import { lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

/**
 * Posts a received payment: to the invoice that it pays, or into the wallet, once per payment of the provider. Debt is
 * then paid from the wallet as a separate event, so that cash and debt can each be traced. Call it within the caller's
 * transaction.
 */
export async function postTopUp(
  ctx: Ctx,
  { row, charge }: { row: typeof topUps.$inferSelect; charge: Charge },
): Promise<LedgerTransactionId> {
  const { accountId: ownerId, amountCents: amount, invoiceId } = row;
  if (invoiceId) {
    const payment = { invoiceId, ownerId, payment: `${row.provider}/${charge.paymentId}`, amount: asCents(amount) };
    return (await postInvoicePayment(ctx, payment)).ledgerTransactionId;
  }
  const accounts = await lockLedgerAccounts(ctx, [
    { account: "cash" },
    { account: "advertiser_wallet", ownerId },
    { account: "advertiser_receivable", ownerId },
  ]);
  const { wallet, owed } = toAdvertiserFunds(ownerId, accounts);
  const topUp: LedgerPosting = {
    event: "top_up",
    eventKey: `top_up/${row.provider}/${charge.paymentId}`,
    legs: [
      { account: "cash", amount: asCents(amount) },
      { account: "advertiser_wallet", ownerId, amount: asCents(-amount) },
    ],
  };
  const debt = debtPostings(ownerId, { wallet: asCents(wallet + amount), owed }, row.id);
  const posted = await postToLedger(ctx, { postings: [topUp, ...debt], accounts });
  const id = posted.get(topUp.eventKey);
  invariant(id, "top-up was already posted", { eventKey: topUp.eventKey });
  return id;
}
