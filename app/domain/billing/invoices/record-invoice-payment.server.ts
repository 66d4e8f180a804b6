import { eq } from "drizzle-orm";
import { invoices, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { newId, type TransactionId } from "../../ids.ts";
import { type Cents, centsToDollars } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { syncFundsHolds } from "../wallet/sync-funds-holds.server.ts";
import { formatInvoiceNumber } from "./invoice.ts";
import { postInvoicePayment } from "./post-invoice-payment.server.ts";

/**
 * Records that the open amount of an invoice was paid outside the app, for example by bank transfer. Returns the amount
 * in cents. Throws `not_found`, and `invalid_transition` when nothing is open.
 */
export async function recordInvoicePayment(ctx: Ctx<OperatorActor>, { number }: { number: number }): Promise<Cents> {
  const { advertiserId, paid } = await inTransaction(ctx, async (tx) => {
    const hasNumber = eq(invoices.number, number);
    const [{ advertiserId } = { advertiserId: undefined }] = await tx.db.select().from(invoices).where(hasNumber);
    if (!advertiserId) throw notFound("Invoice");
    await lockLedgerAccounts(tx, [
      { account: "cash" },
      { account: "advertiser_wallet", ownerId: advertiserId },
      { account: "advertiser_receivable", ownerId: advertiserId },
    ]);
    // The amount is read after the receivable account is locked.
    const [row] = await tx.db.select().from(invoices).where(hasNumber);
    if (!row?.openCents) throw new DomainError("invalid_transition", `${formatInvoiceNumber(number)} is already paid`);
    const id = newId<TransactionId>();
    const payment = { invoiceId: row.id, ownerId: advertiserId, payment: `${id}/operator`, amount: "all" as const };
    const { ledgerTransactionId, paid } = await postInvoicePayment(tx, payment);
    await tx.db.insert(transactions).values({
      id,
      accountId: advertiserId,
      type: "adjustment",
      status: "succeeded",
      description: `Payment of invoice ${formatInvoiceNumber(number)}`,
      amountCents: paid,
      ledgerTransactionId,
      createdAt: tx.clock(),
    });
    await recordAudit(tx, {
      action: "invoice.paid",
      entity: "invoice",
      entityId: row.id,
      accountId: advertiserId,
      after: { number: formatInvoiceNumber(number), amount: centsToDollars(paid) },
    });
    return { advertiserId, paid };
  });
  await syncFundsHolds(ctx, [advertiserId]);
  return paid;
}
