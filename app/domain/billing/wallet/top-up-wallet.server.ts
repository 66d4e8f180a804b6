import { and, eq } from "drizzle-orm";
import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { topUps, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { type InvoiceId, newId, type PaymentMethodId, type TopUpId, type TransactionId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { requireOpenInvoice } from "../invoices/require-open-invoice.server.ts";
import { isExpired, methodName, otherProviderMessage } from "../payment-methods/payment-method.ts";
import { getMethodRow, isUsable, lockMethods } from "../payment-methods/payment-method-rows.server.ts";
import { finishTopUp, finishTopUpForPage, type TopUpResult } from "./finish-top-up.server.ts";

type TopUpInput = {
  amount: Cents;
  payment_method_id: PaymentMethodId;
  /** The idempotency key: the same key means the same top-up, forever. */
  key: string;
  /** The invoice that it pays instead of going into the wallet. */
  invoice?: { id: InvoiceId; name: string };
  /** The page that the user returns to after confirming the payment. */
  returnPath: (id: TopUpId) => `/${string}`;
};

/**
 * Tops up the wallet. The request is stored, then the provider is called outside any transaction, then the outcome is
 * stored; a job finishes an interrupted top-up with the same charge. A declined payment is a result too. Throws
 * `invalid_input` for a method that is unknown or expired, `idempotency_conflict` when the key was used for a different
 * top-up, `unavailable` when the provider does not respond (the job then reads the outcome).
 */
export async function topUpWallet(
  ctx: Ctx<AdvertiserActor>,
  input: TopUpInput,
): Promise<TopUpResult & { replayed: boolean }> {
  const { id, replayed } = await startTopUp(ctx, input);
  return { ...(await finishTopUp(ctx, { id })), replayed };
}

/**
 * Does the same for a page. A top-up whose provider does not respond is a result too, as it is stored: a second one
 * would be a second payment.
 */
export async function topUpWalletFromPage(ctx: Ctx<AdvertiserActor>, input: TopUpInput): Promise<TopUpResult> {
  const { id } = await startTopUp(ctx, input);
  return finishTopUpForPage(ctx, { id });
}

async function startTopUp(ctx: Ctx<AdvertiserActor>, input: TopUpInput): Promise<{ id: TopUpId; replayed: boolean }> {
  const known = await findByKey(ctx, input);
  if (known) return { id: known, replayed: true };
  // Without a payment provider no top-up is started.
  paymentProvider(ctx);
  const method = await getUsableMethod(ctx, input.payment_method_id);
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    // A concurrent request with the same key has committed once the lock is acquired.
    await lockMethods(tx);
    const before = await findByKey(tx, input);
    if (before) return { id: before, replayed: true };
    await requireOpenAccount(tx, accountId);
    const [id, transactionId] = [newId<TopUpId>(), newId<TransactionId>()];
    const now = tx.clock();
    const { invoice } = input;
    if (invoice) await requireOpenInvoice(tx, { id: invoice.id, amount: input.amount });
    const description = `${invoice ? `Payment of invoice ${invoice.name}` : "Wallet top-up"}, ${methodName(method)}`;
    const type = invoice ? ("adjustment" as const) : ("top_up" as const);
    await tx.db.insert(transactions).values({
      id: transactionId,
      accountId,
      type,
      status: "pending",
      description,
      amountCents: input.amount,
      createdAt: now,
    });
    await tx.db.insert(topUps).values({
      id,
      accountId,
      transactionId,
      paymentMethodId: method.id,
      provider: method.provider,
      amountCents: input.amount,
      status: "pending",
      idempotencyKey: input.key,
      invoiceId: invoice?.id,
      returnPath: input.returnPath(id),
      createdAt: now,
      dueAt: new Date(now.getTime() + 60_000),
    });
    await recordAudit(tx, {
      action: "top_up.started",
      entity: "top_up",
      entityId: id,
      accountId,
      after: { amount: input.amount / 100, payment_method_id: method.id, invoice: invoice?.name },
    });
    return { id, replayed: false };
  });
}

/** Returns the top-up that the key was used for. Throws `idempotency_conflict` when the request differs. */
async function findByKey(
  ctx: Ctx<AdvertiserActor>,
  { key, amount, payment_method_id }: TopUpInput,
): Promise<TopUpId | undefined> {
  const [row] = await ctx.db
    .select()
    .from(topUps)
    .where(and(eq(topUps.accountId, ctx.actor.accountId), eq(topUps.idempotencyKey, key)));
  if (row && (row.amountCents !== amount || row.paymentMethodId !== payment_method_id)) {
    throw new DomainError(
      "idempotency_conflict",
      "This Idempotency-Key was already used for a different request. Use a new key.",
    );
  }
  return row?.id;
}

async function getUsableMethod(ctx: Ctx<AdvertiserActor>, id: PaymentMethodId) {
  const invalidMethod = (message: string) => invalidInput({ payment_method_id: [message] }, message);
  const method = await getMethodRow(ctx, id).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not_found")
      throw invalidMethod("Choose one of your payment methods");
    throw error;
  });
  if (!isUsable(method)) throw invalidMethod(`${methodName(method)} can't be charged. ${otherProviderMessage}`);
  if (isExpired(method, ctx.clock()))
    throw invalidMethod("The card has expired. Add a new card or choose another payment method.");
  return method;
}
