import { and, eq } from "drizzle-orm";
import { topUps, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { type InvoiceId, newId, type PaymentMethodId, type TopUpId, type TransactionId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { requireOpenInvoice } from "../invoices/require-open-invoice.server.ts";
import { addedElsewhere, isExpired, methodName } from "../payments/payment-method.ts";
import { getMethodRow, isUsable, lockMethods } from "../payments/payment-method-rows.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import { type FinishedTopUp, finishTopUp } from "./finish-top-up.server.ts";

type TopUpInput = {
  amount: Cents;
  payment_method_id: PaymentMethodId;
  /** What makes a repetition one: the same key is the same top-up, for ever. */
  key: string;
  /** What it pays instead of going into the wallet. */
  invoice?: { id: InvoiceId; name: string };
  /** Where somebody comes back to who was asked to confirm. */
  returnPath: (id: TopUpId) => `/${string}`;
};

/**
 * Puts money into the wallet. First it is written down that this is wanted, then the provider is asked outside any transaction,
 * then what came of it is written: whoever is cut off in between is finished by a job, with the same charge. Also one that
 * fails is an answer. Throws `invalid_input` for a method that is not there or expired, `idempotency_conflict` when the key was
 * used for another top-up, `unavailable` when the provider gives no answer (then the job finds out).
 */
export async function topUpWallet(
  ctx: Ctx<AdvertiserActor>,
  input: TopUpInput,
): Promise<FinishedTopUp & { repeated: boolean }> {
  const { id, repeated } = await beginTopUp(ctx, input);
  return { ...(await finishTopUp(ctx, { id })), repeated };
}

async function beginTopUp(ctx: Ctx<AdvertiserActor>, input: TopUpInput): Promise<{ id: TopUpId; repeated: boolean }> {
  const known = await findByKey(ctx, input);
  if (known) return { id: known, repeated: true };
  // Where nobody takes payments nothing is begun.
  paymentProvider(ctx);
  const method = await getUsableMethod(ctx, input.payment_method_id);
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    // Whoever came first with the key has written it when the lock is free.
    await lockMethods(tx);
    const before = await findByKey(tx, input);
    if (before) return { id: before, repeated: true };
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
    return { id, repeated: false };
  });
}

/** The top-up that the key was used for. */
async function findByKey(
  ctx: Ctx<AdvertiserActor>,
  { key, amount, payment_method_id }: TopUpInput,
): Promise<TopUpId | undefined> {
  const [row] = await ctx.db
    .select()
    .from(topUps)
    .where(and(eq(topUps.accountId, ctx.actor.accountId), eq(topUps.idempotencyKey, key)));
  if (row && (row.amountCents !== amount || row.paymentMethodId !== payment_method_id)) {
    throw new DomainError("idempotency_conflict", "This Idempotency-Key was used for another request");
  }
  return row?.id;
}

async function getUsableMethod(ctx: Ctx<AdvertiserActor>, id: PaymentMethodId) {
  const refuse = (message: string) => invalidInput({ payment_method_id: [message] }, message);
  const method = await getMethodRow(ctx, id).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not_found") throw refuse("Choose one of your payment methods");
    throw error;
  });
  if (!isUsable(method)) throw refuse(`${methodName(method)} cannot be charged. ${addedElsewhere}`);
  if (isExpired(method, ctx.clock())) throw refuse("The card has expired. Add a new one, or choose another.");
  return method;
}
