import { and, eq } from "drizzle-orm";
import type { Charge } from "#app/payments/payment-provider.ts";
import { invoices, paymentMethods, topUps, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx, JobActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId, InvoiceId, TopUpId } from "../../ids.ts";
import { type Cents, dollarsOf, toCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { invoiceName } from "../invoices/invoice.ts";
import { askProvider } from "../payments/ask-provider.server.ts";
import { chargeMethod } from "../payments/charge-method.server.ts";
import { outcomeOf, soonAtLeast, statusAfter } from "../payments/charge-outcome.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import { bookTopUp } from "./book-top-up.server.ts";
import { refreshFunds } from "./refresh-funds.server.ts";
import { type TopUpStatus, topUpTransitions } from "./top-up.ts";

type FinishCtx = Ctx<AdvertiserActor | JobActor>;
type TopUpRow = typeof topUps.$inferSelect;

/** `failure` is a sentence for people; `confirmUrl` is where the person says yes. */
export type FinishedTopUp = {
  id: TopUpId;
  accountId: AccountId;
  status: TopUpStatus;
  amount: Cents;
  failure: string | null;
  confirmUrl: string | null;
  /** What it pays instead of going into the wallet. */
  invoiceId: InvoiceId | null;
  createdAt: Date;
};

/**
 * Finds out what came of a top-up, as often as one likes: the charge has its key, and what is final is not asked about again,
 * but by `again`, when the provider has news. Throws `not_found`, `unavailable`.
 */
export async function finishTopUp(
  ctx: FinishCtx,
  { id, again = false }: { id: TopUpId; again?: boolean },
): Promise<FinishedTopUp> {
  const row = await getTopUpRow(ctx, id);
  if (row.dueAt === null && !again) return shown(row);
  return shown(await applyCharge(ctx, { id, charge: await askFor(ctx, row) }));
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

/** How the charge stands; the first time it is made by asking. */
async function askFor(ctx: FinishCtx, row: TopUpRow): Promise<Charge> {
  const { paymentId } = row;
  if (paymentId) return askProvider(() => paymentProvider(ctx).readCharge(paymentId));
  const [method] = await ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, row.paymentMethodId));
  if (!method) throw new Error("a payment method's row stays");
  const { id, amountCents, returnPath, createdAt: askedAt } = row;
  const description = row.invoiceId ? "Endcap invoice" : "Endcap wallet top-up";
  return chargeMethod(ctx, method, {
    key: `top_up/${id}`,
    amount: amountCents,
    description,
    returnPath,
    askedAt,
  });
}

/** Writes what came of it, once: the money into the books, the line of the account's, and that there are funds again. */
export async function applyCharge(
  ctx: FinishCtx,
  { id, charge, canceled = false }: { id: TopUpId; charge: Charge; canceled?: boolean },
): Promise<TopUpRow> {
  const row = await inTransaction(ctx, async (tx) => {
    const [before] = await tx.db.select().from(topUps).where(eq(topUps.id, id)).for("update");
    if (!before) throw notFound("Top-up");
    const status = statusAfter(charge, { canceled });
    if (status === before.status || !topUpTransitions[before.status].includes(status)) {
      return postpone(tx, { row: before, charge });
    }
    const ledgerTransactionId = status === "succeeded" ? await bookTopUp(tx, { row: before, charge }) : null;
    const [row] = await tx.db
      .update(topUps)
      .set({
        status,
        ...outcomeOf(tx, { charge, before }),
      })
      .where(eq(topUps.id, id))
      .returning();
    if (!row) throw new Error("it is locked");
    if (status !== "pending" && status !== "needs_confirmation") {
      const line = { status, ledgerTransactionId };
      await tx.db.update(transactions).set(line).where(eq(transactions.id, row.transactionId));
    }
    await recordAudit(tx, {
      action: `top_up.${status}`,
      entity: "top_up",
      entityId: id,
      accountId: row.accountId,
      before: { status: before.status },
      after: { status, amount: dollarsOf(toCents(row.amountCents)), invoice: await nameOfInvoice(tx, row) },
    });
    return row;
  });
  if (row.status === "succeeded") await refreshFunds(ctx, [row.accountId]);
  return row;
}

/** `INV-000042`, where it pays one. */
async function nameOfInvoice(ctx: FinishCtx, { invoiceId }: TopUpRow): Promise<string | undefined> {
  if (!invoiceId) return undefined;
  const [row] = await ctx.db.select({ number: invoices.number }).from(invoices).where(eq(invoices.id, invoiceId));
  return row && invoiceName(row.number);
}

/** Nothing new but the payment's name: a job looks again later. */
async function postpone(ctx: FinishCtx, { row, charge }: { row: TopUpRow; charge: Charge }): Promise<TopUpRow> {
  if (row.dueAt === null) return row;
  const dueAt = soonAtLeast(ctx, topUps);
  const paymentId = charge.paymentId ?? row.paymentId;
  const [later] = await ctx.db.update(topUps).set({ dueAt, paymentId }).where(eq(topUps.id, row.id)).returning();
  return later ?? row;
}

function shown({
  id,
  accountId,
  status,
  amountCents,
  failure,
  confirmUrl,
  createdAt,
  invoiceId,
}: TopUpRow): FinishedTopUp {
  return { id, accountId, status, amount: toCents(amountCents), failure, confirmUrl, createdAt, invoiceId };
}
