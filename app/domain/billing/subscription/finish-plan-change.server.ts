import { eq } from "drizzle-orm";
import { appName } from "#app/domain/branding.ts";
import { invariant } from "#app/domain/invariant.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import type { Charge } from "#app/domain/payments/payment-provider.ts";
import { reportError } from "#app/domain/report-error.ts";
import { paymentMethods } from "#db/schema/index.ts";
import { recordAuditOnce } from "../../audit/record-audit-once.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import type { AccountId, PlanChangeId, SubscriptionId } from "../../ids.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { chargeMethod, readMethodCharge } from "../charges/charge-method.server.ts";
import { withStoredPayment } from "../charges/with-stored-payment.server.ts";
import { type PlanType, plans } from "../plan.ts";
import { missingMethodReason } from "../reversals/find-undisputed-method.server.ts";
import { applyPlanCharge } from "./apply-plan-charge.server.ts";
import { getChangeRow, type PlanChangeRow } from "./find-plan-change.server.ts";
import { type PlanChangeKind, type PlanChangeStatus, renewalKeyPrefix } from "./plan-change.ts";

type FinishCtx = Ctx<PublisherActor | JobActor>;

/** `failure` is a message for the user; `confirmUrl` is the page where the user confirms the payment. */
export type PlanChangeResult = {
  id: PlanChangeId;
  accountId: AccountId;
  subscriptionId: SubscriptionId | null;
  kind: PlanChangeKind;
  planType: PlanType;
  status: PlanChangeStatus;
  amount: Cents;
  failure: string | null;
  confirmUrl: string | null;
  createdAt: Date;
};

/**
 * Reads the outcome of a plan payment and applies it. Safe to repeat, because the charge has an idempotency key. A
 * final payment is checked again only with `recheck`, when the provider reports a change. Throws `not_found`,
 * `unavailable`.
 */
export async function finishPlanChange(
  ctx: FinishCtx,
  { id, recheck = false }: { id: PlanChangeId; recheck?: boolean },
): Promise<PlanChangeResult> {
  const row = await getChangeRow(ctx, id);
  if (row.dueAt === null && (!recheck || !row.paymentId)) return toResult(row);
  const charge = await readOrCreateCharge(ctx, row);
  const { accountId } = row;
  const updated = await applyPlanCharge(ctx, { id, accountId, charge });
  if (charge.state === "succeeded" && updated.status !== "succeeded") await refundCharge(ctx, { row, charge });
  return toResult(updated);
}

/**
 * Does the same for a page, to which a payment whose provider does not respond is as it is stored. Throws `not_found`.
 */
export async function finishPlanChangeForPage(
  ctx: Ctx<PublisherActor>,
  { id }: { id: PlanChangeId },
): Promise<PlanChangeResult> {
  return withStoredPayment(ctx, {
    finish: () => finishPlanChange(ctx, { id }),
    stored: async () => toResult(await getChangeRow(ctx, id)),
  });
}

/** Returns the charge of a plan payment; the first call creates it. */
async function readOrCreateCharge(ctx: FinishCtx, row: PlanChangeRow): Promise<Charge> {
  const { id, status, paymentId, paymentMethodId, planType, amountCents, returnPath, createdAt } = row;
  if (paymentId && status !== "pending") return callProvider(() => paymentProvider(ctx).readCharge(paymentId));
  if (!paymentMethodId) return { state: "declined", paymentId: null, reason: row.failure ?? missingMethodReason };
  const [method] = await ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, paymentMethodId));
  invariant(method, "payment_methods row vanished", { id: paymentMethodId });
  const request = {
    key: `subscription/${id}`,
    amount: amountCents,
    description: `${appName} ${plans[planType].label} plan`,
    returnPath,
    firstRequestedAt: createdAt,
    offSession: row.idempotencyKey.startsWith(renewalKeyPrefix),
  };
  return paymentId ? readMethodCharge(ctx, method, { ...request, paymentId }) : chargeMethod(ctx, method, request);
}

/**
 * Refunds, once, a charge that succeeded after it had failed or was canceled. The refund is recorded when the provider
 * reports it as succeeded, and one that fails is recorded and reported for the operator.
 */
async function refundCharge(
  ctx: FinishCtx,
  { row, charge }: { row: PlanChangeRow; charge: Extract<Charge, { state: "succeeded" }> },
): Promise<void> {
  const { id, accountId, amountCents, subscriptionId } = row;
  const { paymentId } = charge;
  const key = `subscription_back/${id}`;
  const refund = await callProvider(() => paymentProvider(ctx).refund({ key, paymentId, amount: amountCents }));
  const amount = centsToDollars(asCents(amountCents));
  const entry = { entity: "subscription" as const, entityId: subscriptionId ?? id, accountId };
  if (refund.state === "refused") {
    const after = { amount, reference: paymentId, reason: refund.reason };
    const isNew = await recordAuditOnce(ctx, { ...entry, action: "subscription.refund_failed", after });
    const error = new Error(`refund failed ${JSON.stringify({ id, paymentId })}`);
    if (isNew) reportError(ctx, error, { work: "refund_payment" });
  }
  if (refund.state === "succeeded") {
    const after = { amount, reference: refund.refundId };
    await recordAuditOnce(ctx, { ...entry, action: "subscription.payment_refunded", after });
  }
}

function toResult(row: PlanChangeRow): PlanChangeResult {
  const { id, accountId, subscriptionId, kind, planType, status, amountCents, failure, confirmUrl, createdAt } = row;
  return {
    id,
    accountId,
    subscriptionId,
    kind,
    planType,
    status,
    amount: asCents(amountCents),
    failure,
    confirmUrl,
    createdAt,
  };
}
