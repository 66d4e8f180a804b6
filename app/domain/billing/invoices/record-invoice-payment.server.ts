import { eq } from "drizzle-orm";
import { invoices, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { newId, type TransactionId } from "../../ids.ts";
import { type Cents, dollarsOf } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { refreshFunds } from "../wallet/refresh-funds.server.ts";
import { bookInvoicePayment } from "./book-invoice-payment.server.ts";
import { invoiceName } from "./invoice.ts";

/**
 * Writes down, by the operator's hand, that what is open of an invoice came in another way: by a bank transfer. Gives the amount.
 * Throws `not_found`, and `invalid_transition` when nothing is open.
 */
export async function recordInvoicePayment(ctx: Ctx<OperatorActor>, { number }: { number: number }): Promise<Cents> {
  const { advertiserId, paid } = await inTransaction(ctx, async (tx) => {
    const theOne = eq(invoices.number, number);
    const [{ advertiserId } = { advertiserId: undefined }] = await tx.db.select().from(invoices).where(theOne);
    if (!advertiserId) throw notFound("Invoice");
    await lockLedgerAccounts(tx, [
      { account: "cash" },
      { account: "advertiser_wallet", ownerId: advertiserId },
      { account: "advertiser_receivable", ownerId: advertiserId },
    ]);
    // Read when its debt is locked.
    const [row] = await tx.db.select().from(invoices).where(theOne);
    if (!row?.openCents) throw new DomainError("invalid_transition", `${invoiceName(number)} is paid already`);
    const payment = { invoiceId: row.id, ownerId: advertiserId, payment: "operator", amount: "all" as const };
    const { ledgerTransactionId, paid } = await bookInvoicePayment(tx, payment);
    await tx.db.insert(transactions).values({
      id: newId<TransactionId>(),
      accountId: advertiserId,
      type: "adjustment",
      status: "succeeded",
      description: `Payment of invoice ${invoiceName(number)}`,
      amountCents: paid,
      ledgerTransactionId,
      createdAt: tx.clock(),
    });
    await recordAudit(tx, {
      action: "invoice.paid",
      entity: "invoice",
      entityId: row.id,
      accountId: advertiserId,
      after: { number: invoiceName(number), amount: dollarsOf(paid) },
    });
    return { advertiserId, paid };
  });
  await refreshFunds(ctx, [advertiserId]);
  return paid;
}
