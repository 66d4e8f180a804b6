import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type AccountId, newId, type PlanChangeId, type SubscriptionId, type TransactionId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { type Cents, centsToDollars } from "#app/domain/money.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { planChanges, transactions } from "#db/schema/index.ts";
import { isExpired, methodName } from "../payment-methods/payment-method.ts";
import { findDefaultMethodRow, type PaymentMethodRow } from "../payment-methods/payment-method-rows.server.ts";
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
  /** The description that the account sees. */
  description: string;
  method: PaymentMethodRow | undefined;
  /** Why there is no method to charge, so that the payment fails. */
  failure?: string;
  /** Whether it is offset against the publisher's earnings. */
  paidFromEarnings?: boolean;
  key: string;
  returnPath: `/${string}`;
};

/**
 * Stores a plan payment before the provider is asked to charge it; from here on a job finishes an interrupted payment.
 */
export async function createPlanPayment(ctx: Ctx, payment: PlanPayment): Promise<PlanChangeRow> {
  const {
    id,
    accountId,
    subscriptionId,
    kind,
    planType,
    amount,
    periodStartedAt,
    method,
    failure,
    paidFromEarnings = false,
  } = payment;
  const transactionId = newId<TransactionId>();
  const now = ctx.clock();
  const by = paidFromEarnings ? ", paid from earnings" : method ? `, ${methodName(method)}` : "";
  await ctx.db.insert(transactions).values({
    id: transactionId,
    accountId,
    type: "subscription",
    status: "pending",
    amountCents: amount,
    createdAt: now,
    description: payment.description + by,
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
    paidFromEarnings,
    paymentMethodId: method?.id ?? null,
    provider: method?.provider ?? null,
    failure: failure ?? null,
    transactionId,
    idempotencyKey: payment.key,
    returnPath: payment.returnPath,
    createdAt: now,
    dueAt: new Date(now.getTime() + 60_000),
  };
  const [row] = await ctx.db.insert(planChanges).values(change).returning();
  invariant(row, "plan_changes insert returned no row", { id });
  await recordAudit(ctx, {
    action: "subscription.payment_started",
    entity: "subscription",
    entityId: subscriptionId ?? id,
    accountId,
    after: {
      plan_type: planType,
      amount: centsToDollars(amount),
      payment_method_id: method?.id ?? null,
      paid_from_earnings: paidFromEarnings,
    },
  });
  return row;
}

/**
 * Returns the default payment method. Throws `invalid_transition` when there is none or it has expired, and
 * `unavailable` without a payment provider.
 */
export async function requireDefaultMethod(ctx: Ctx<PublisherActor>): Promise<PaymentMethodRow> {
  paymentProvider(ctx);
  const method = await findDefaultMethodRow(ctx);
  if (!method) throw new DomainError("invalid_transition", "Add a payment method first");
  if (isExpired(method, ctx.clock())) {
    const message = `${methodName(method)} has expired. Add another payment method or choose a new default.`;
    throw new DomainError("invalid_transition", message);
  }
  return method;
}
