import { planChanges, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { type AccountId, newId, type PlanChangeId, type SubscriptionId, type TransactionId } from "../../ids.ts";
import { type Cents, dollarsOf } from "../../money.ts";
import { isExpired, methodName } from "../payments/payment-method.ts";
import { findDefaultMethodRow, type PaymentMethodRow } from "../payments/payment-method-rows.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import type { PlanType } from "../plan.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";
import type { PlanChangeKind } from "./plan-change.ts";

export type PlanPayment = {
  id: PlanChangeId;
  accountId: AccountId;
  subscriptionId: SubscriptionId | null;
  kind: PlanChangeKind;
  planType: PlanType;
  amount: Cents;
  periodStartedAt: Date | null;
  /** What it is for, as the account reads it. */
  words: string;
  method: PaymentMethodRow | undefined;
  /** It is paid from what the publisher earned. */
  netted?: boolean;
  key: string;
  returnPath: `/${string}`;
};

/** Writes down that a plan is to be paid, before anybody is asked for the money; a job finishes what is cut off from here on. */
export async function insertPayment(ctx: Ctx, payment: PlanPayment): Promise<PlanChangeRow> {
  const { id, accountId, subscriptionId, kind, planType, amount, periodStartedAt, method, netted = false } = payment;
  const transactionId = newId<TransactionId>();
  const now = ctx.clock();
  const by = netted ? ", from your earnings" : method ? `, ${methodName(method)}` : "";
  await ctx.db.insert(transactions).values({
    id: transactionId,
    accountId,
    type: "subscription",
    status: "pending",
    amountCents: amount,
    createdAt: now,
    description: payment.words + by,
  });
  const change = {
    id,
    accountId,
    subscriptionId,
    kind,
    planType,
    status: "pending" as const,
    amountCents: amount,
    periodStartedAt,
    netted,
    paymentMethodId: method?.id ?? null,
    provider: method?.provider ?? null,
    transactionId,
    idempotencyKey: payment.key,
    returnPath: payment.returnPath,
    createdAt: now,
    dueAt: new Date(now.getTime() + 60_000),
  };
  const [row] = await ctx.db.insert(planChanges).values(change).returning();
  if (!row) throw new Error("it was just written");
  await recordAudit(ctx, {
    action: "subscription.payment_started",
    entity: "subscription",
    entityId: subscriptionId ?? id,
    accountId,
    after: { plan_type: planType, amount: dollarsOf(amount), payment_method_id: method?.id ?? null, netted },
  });
  return row;
}

/** The default way to pay. Throws `invalid_transition` when there is none, or it has expired, and `unavailable` where nobody takes payments. */
export async function requireMethod(ctx: Ctx<PublisherActor>): Promise<PaymentMethodRow> {
  paymentProvider(ctx);
  const method = await findDefaultMethodRow(ctx);
  if (!method) throw new DomainError("invalid_transition", "Add a payment method first.");
  if (isExpired(method, ctx.clock())) {
    const words = `${methodName(method)} has expired. Add another payment method, or make another the default.`;
    throw new DomainError("invalid_transition", words);
  }
  return method;
}
