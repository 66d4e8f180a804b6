import { and, eq } from "drizzle-orm";
import { invariant } from "#app/domain/invariant.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import type { Charge } from "#app/domain/payments/payment-provider.ts";
import { invoices, paymentMethods, topUps, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx, JobActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId, InvoiceId, PaymentMethodId, TopUpId } from "../../ids.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { chargeMethod, readMethodCharge } from "../charges/charge-method.server.ts";
import { chargeUpdate, nextCheckAt, statusFromCharge } from "../charges/charge-outcome.server.ts";
import { withStoredPayment } from "../charges/with-stored-payment.server.ts";
import { formatInvoiceNumber } from "../invoices/invoice.ts";
import { postTopUp } from "./post-top-up.server.ts";
import { syncFundsHolds } from "./sync-funds-holds.server.ts";
import { type TopUpStatus, topUpTransitions } from "./top-up.ts";

type FinishCtx = Ctx<AdvertiserActor | JobActor>;
type TopUpRow = typeof topUps.$inferSelect;

/** `failure` is a message for the user; `confirmUrl` is the page where the user confirms the payment. */
export type TopUpResult = {
  id: TopUpId;
  accountId: AccountId;
  paymentMethodId: PaymentMethodId;
  status: TopUpStatus;
  amount: Cents;
  failure: string | null;
  confirmUrl: string | null;
  /** The invoice that it pays instead of going into the wallet. */
  invoiceId: InvoiceId | null;
  createdAt: Date;
};

/**
 * Reads the outcome of a top-up and applies it. Safe to repeat, because the charge has an idempotency key. A final
 * top-up is checked again only with `recheck`, when the provider reports a change. Throws `not_found`, `unavailable`.
 */
export async function finishTopUp(
  ctx: FinishCtx,
  { id, recheck = false }: { id: TopUpId; recheck?: boolean },
): Promise<TopUpResult> {
  const row = await getTopUpRow(ctx, id);
  if (row.dueAt === null && !recheck) return toResult(row);
  return toResult(await applyTopUpCharge(ctx, { id, charge: await readOrCreateCharge(ctx, row) }));
}

/**
 * Does the same for a page, to which a top-up whose provider does not respond is as it is stored. Throws `not_found`.
 */
export async function finishTopUpForPage(ctx: FinishCtx, { id }: { id: TopUpId }): Promise<TopUpResult> {
  return withStoredPayment(ctx, {
    finish: () => finishTopUp(ctx, { id }),
    stored: async () => toResult(await getTopUpRow(ctx, id)),
  });
}

export async function getTopUpRow(ctx: FinishCtx, id: TopUpId): Promise<TopUpRow> {
  const own = ctx.actor.kind === "job" ? undefined : eq(topUps.accountId, ctx.actor.accountId);
  const [row] = await ctx.db
    .select()
    .from(topUps)
    .where(and(eq(topUps.id, id), own));
  if (!row) throw notFound("Top-up");
  return row;
}

/** Returns the charge of a top-up; the first call creates it. */
async function readOrCreateCharge(ctx: FinishCtx, row: TopUpRow): Promise<Charge> {
  const { paymentId, status } = row;
  if (paymentId && status !== "pending") return callProvider(() => paymentProvider(ctx).readCharge(paymentId));
  const [method] = await ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, row.paymentMethodId));
  invariant(method, "payment_methods row vanished", { id: row.paymentMethodId });
  const { id, amountCents, returnPath, createdAt } = row;
  const description = row.invoiceId ? "Endcap invoice" : "Endcap wallet top-up";
  const request = { key: `top_up/${id}`, amount: amountCents, description, returnPath, firstRequestedAt: createdAt };
  return paymentId ? readMethodCharge(ctx, method, { ...request, paymentId }) : chargeMethod(ctx, method, request);
}

/**
 * Applies the outcome of a charge, once: posts the money, updates the account's transaction, and releases a funds hold.
 */
export async function applyTopUpCharge(
  ctx: FinishCtx,
  { id, charge, canceled = false }: { id: TopUpId; charge: Charge; canceled?: boolean },
): Promise<TopUpRow> {
  const row = await inTransaction(ctx, async (tx) => {
    const [before] = await tx.db.select().from(topUps).where(eq(topUps.id, id)).for("update");
    if (!before) throw notFound("Top-up");
    const status = statusFromCharge(charge, { canceled });
    if (status === before.status || !topUpTransitions[before.status].includes(status)) {
      return postpone(tx, { row: before, charge });
    }
    const ledgerTransactionId = status === "succeeded" ? await postTopUp(tx, { row: before, charge }) : null;
    const [row] = await tx.db
      .update(topUps)
      .set({
        status,
        ...chargeUpdate(tx, { charge, before }),
      })
      .where(eq(topUps.id, id))
      .returning();
    invariant(row, "locked top_ups row vanished", { id });
    if (status !== "pending" && status !== "needs_confirmation") {
      const changes = { status, ledgerTransactionId };
      await tx.db.update(transactions).set(changes).where(eq(transactions.id, row.transactionId));
    }
    await recordAudit(tx, {
      action: `top_up.${status}`,
      entity: "top_up",
      entityId: id,
      accountId: row.accountId,
      before: { status: before.status },
      after: { status, amount: centsToDollars(asCents(row.amountCents)), invoice: await findInvoiceNumber(tx, row) },
    });
    return row;
  });
  if (row.status === "succeeded") await syncFundsHolds(ctx, [row.accountId]);
  return row;
}

/** Returns the number of the invoice that the top-up pays, such as `INV-000042`. */
async function findInvoiceNumber(ctx: FinishCtx, { invoiceId }: TopUpRow): Promise<string | undefined> {
  if (!invoiceId) return undefined;
  const [row] = await ctx.db.select({ number: invoices.number }).from(invoices).where(eq(invoices.id, invoiceId));
  return row && formatInvoiceNumber(row.number);
}

/** Stores the payment ID of an unchanged charge and schedules the next check. */
async function postpone(ctx: FinishCtx, { row, charge }: { row: TopUpRow; charge: Charge }): Promise<TopUpRow> {
  if (row.dueAt === null) return row;
  const dueAt = nextCheckAt(ctx, topUps);
  const paymentId = charge.paymentId ?? row.paymentId;
  const [postponed] = await ctx.db.update(topUps).set({ dueAt, paymentId }).where(eq(topUps.id, row.id)).returning();
  return postponed ?? row;
}

function toResult({
  id,
  accountId,
  paymentMethodId,
  status,
  amountCents,
  failure,
  confirmUrl,
  createdAt,
  invoiceId,
}: TopUpRow): TopUpResult {
  const amount = asCents(amountCents);
  return { id, accountId, paymentMethodId, status, amount, failure, confirmUrl, createdAt, invoiceId };
}
