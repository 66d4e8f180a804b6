import { eq } from "drizzle-orm";
import type { Charge } from "#app/payments/payment-provider.ts";
import { paymentMethods } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import type { AccountId, PlanChangeId, SubscriptionId } from "../../ids.ts";
import { type Cents, dollarsOf, toCents } from "../../money.ts";
import { productName } from "../../product.ts";
import { askProvider } from "../payments/ask-provider.server.ts";
import { chargeMethod } from "../payments/charge-method.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import { type PlanType, plans } from "../plan.ts";
import { applyPlanCharge } from "./apply-plan-charge.server.ts";
import { getChangeRow, type PlanChangeRow } from "./find-plan-change.server.ts";
import { type PlanChangeKind, type PlanChangeStatus, renewalKeys } from "./plan-change.ts";

type FinishCtx = Ctx<PublisherActor | JobActor>;

/** `failure` is a sentence for people; `confirmUrl` is where the person says yes. */
export type FinishedChange = {
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
 * Finds out what came of a plan's payment, as often as one likes: the charge has its key, and what is final is not asked
 * about again, but by `again`, when the provider has news. Throws `not_found`, `unavailable`.
 */
export async function finishPlanChange(
  ctx: FinishCtx,
  { id, again = false }: { id: PlanChangeId; again?: boolean },
): Promise<FinishedChange> {
  const row = await getChangeRow(ctx, id);
  if (row.dueAt === null && (!again || !row.paymentId)) return shown(row);
  const charge = await askFor(ctx, row);
  const { accountId } = row;
  const after = await applyPlanCharge(ctx, { id, accountId, charge });
  if (charge.state === "succeeded" && after.status !== "succeeded") await giveBack(ctx, { row, charge });
  return shown(after);
}

/** How the charge stands; the first time it is made by asking. */
async function askFor(ctx: FinishCtx, row: PlanChangeRow): Promise<Charge> {
  const { id, paymentId, paymentMethodId, planType, amountCents, returnPath, createdAt } = row;
  if (paymentId) return askProvider(() => paymentProvider(ctx).readCharge(paymentId));
  if (!paymentMethodId)
    return { state: "declined", paymentId: null, reason: "There is no payment method that it may be charged to." };
  const [method] = await ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, paymentMethodId));
  if (!method) throw new Error("a payment method's row stays");
  return chargeMethod(ctx, method, {
    key: `subscription/${id}`,
    amount: amountCents,
    description: `${productName} ${plans[planType].label} plan`,
    returnPath,
    askedAt: createdAt,
    unattended: row.idempotencyKey.startsWith(renewalKeys),
  });
}

/** Money that came in after all for what was called off before: nothing was given for it, so it goes back, once. */
async function giveBack(
  ctx: FinishCtx,
  { row, charge }: { row: PlanChangeRow; charge: Extract<Charge, { state: "succeeded" }> },
): Promise<void> {
  const { id, accountId, amountCents, subscriptionId } = row;
  const { paymentId } = charge;
  const key = `subscription_back/${id}`;
  await askProvider(() => paymentProvider(ctx).refund({ key, paymentId, amount: amountCents }));
  await recordAudit(ctx, {
    action: "subscription.payment_given_back",
    entity: "subscription",
    entityId: subscriptionId ?? id,
    accountId,
    after: { amount: dollarsOf(toCents(amountCents)) },
  });
}

function shown(row: PlanChangeRow): FinishedChange {
  const { id, accountId, subscriptionId, kind, planType, status, amountCents, failure, confirmUrl, createdAt } = row;
  return {
    id,
    accountId,
    subscriptionId,
    kind,
    planType,
    status,
    amount: toCents(amountCents),
    failure,
    confirmUrl,
    createdAt,
  };
}
