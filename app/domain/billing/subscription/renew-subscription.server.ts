import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { newId, type PlanChangeId } from "../../ids.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import type { MethodToCharge } from "../reversals/find-undisputed-method.server.ts";
import { periodFrom } from "./billing-period.ts";
import { createPlanPayment } from "./create-plan-payment.server.ts";
import { offsetAgainstEarnings } from "./offset-against-earnings.server.ts";
import { renewalKeyPrefix } from "./plan-change.ts";
import { planOfNextPeriod } from "./plan-quote.ts";
import { countPlanUsage } from "./plan-usage.server.ts";

type RenewCtx = Ctx<PublisherActor | JobActor>;
type Renewal = {
  subscription: SubscriptionRow;
  /** Called only when earnings do not cover the price. */
  method: () => Promise<MethodToCharge>;
  key?: string;
  returnPath: (id: PlanChangeId) => `/${string}`;
};

/**
 * Offsets the next period against earnings, or stores a payment with the method. Call it within the caller's
 * transaction, with the plan locked. Returns the plan change to finish.
 */
export async function startRenewal(ctx: RenewCtx, renewal: Renewal): Promise<PlanChangeId> {
  const { subscription, method, returnPath } = renewal;
  const planType = await applyScheduledDowngrade(ctx, subscription);
  const id = newId<PlanChangeId>();
  const payment = {
    id,
    accountId: subscription.accountId,
    subscriptionId: subscription.id,
    kind: "renewal" as const,
    planType,
    amount: plans[planType].monthlyAmount,
    periodStartedAt: nextPeriodStart(subscription, ctx.clock()),
    description: `${plans[planType].label} plan`,
    key: renewal.key ?? renewalKeyPrefix + id,
    returnPath: returnPath(id),
  };
  if (!(await offsetAgainstEarnings(ctx, payment))) await createPlanPayment(ctx, { ...payment, ...(await method()) });
  return id;
}

/**
 * Returns the start of the next period: the end of the last one. It is now when the last payment was reversed, and when
 * no process renewed the plan for more than a whole period, so that nobody pays for months without service.
 */
function nextPeriodStart({ anchorAt, periodEndsAt, paymentReversedAt }: SubscriptionRow, now: Date): Date {
  if (paymentReversedAt && now < periodEndsAt) return now;
  return periodFrom(anchorAt, periodEndsAt).endsAt > now ? periodEndsAt : now;
}

/**
 * Returns the plan of the next period: the scheduled downgrade, if it has capacity for the running campaigns. It
 * applies immediately, whatever the outcome of the payment, so that no campaign is approved meanwhile. Otherwise the
 * plan stays, and the publisher is notified why.
 */
async function applyScheduledDowngrade(ctx: RenewCtx, subscription: SubscriptionRow): Promise<PlanType> {
  const { id, accountId, planType, nextPlanType } = subscription;
  if (!nextPlanType) return planType;
  const { planType: renewedPlanType, skippedReason: reason } = planOfNextPeriod(
    subscription,
    await countPlanUsage(ctx, accountId),
  );
  const set = { planType: renewedPlanType, nextPlanType: null };
  await ctx.db.update(subscriptions).set(set).where(eq(subscriptions.id, id));
  await recordAudit(ctx, {
    action: reason ? "subscription.downgrade_skipped" : "subscription.downgraded",
    entity: "subscription",
    entityId: id,
    accountId,
    before: { plan_type: planType, next_plan_type: nextPlanType },
    after: { plan_type: renewedPlanType, next_plan_type: null, ...(reason ? { reason } : { was: planType }) },
    notificationFacts: { plan: renewedPlanType },
  });
  return renewedPlanType;
}
