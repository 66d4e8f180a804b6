import { eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { subscriptions } from "#db/schema/index.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import type { PlanChangeRow } from "../subscription/find-plan-change.server.ts";
import { nextDueAt } from "../subscription/plan-change.ts";
import { planTooSmallReason } from "../subscription/plan-quote.ts";
import { countPlanUsage } from "../subscription/plan-usage.server.ts";
import { readPaidPlan } from "./read-paid-plan.server.ts";

/**
 * Updates the plan when a payment for its current period is fully reversed or reinstated. Without the payment that
 * began the period the plan becomes past due, as after a failed renewal; without that of an upgrade it becomes the plan
 * that is still paid for. A partial reversal changes nothing, and past periods are not charged again. Call it within
 * the caller's transaction, with the plan locked.
 */
export async function syncPlanReversal(
  ctx: Ctx<JobActor>,
  { change, subscription }: { change: PlanChangeRow; subscription: SubscriptionRow | undefined },
): Promise<void> {
  const now = ctx.clock();
  if (!subscription || change.subscriptionId !== subscription.id || subscription.periodEndsAt <= now) return;
  if (change.periodStartedAt?.getTime() !== subscription.periodStartedAt.getTime()) return;
  const { isPaid, planType } = await readPaid(ctx, subscription);
  if (isPaid === (subscription.paymentReversedAt === null) && planType === subscription.planType) return;
  const unpaidSince = subscription.pastDueSince ?? now;
  const { status, pastDueSince, dueAt } = isPaid
    ? { status: "active" as const, pastDueSince: null, dueAt: subscription.periodEndsAt }
    : {
        status: "past_due" as const,
        pastDueSince: unpaidSince,
        dueAt: nextDueAt({ ...subscription, pastDueSince: unpaidSince }, now) ?? now,
      };
  const next = subscription.nextPlanType;
  const pendingDowngrade = next && plans[next].monthlyAmount < plans[planType].monthlyAmount ? next : null;
  const paymentReversedAt = isPaid ? null : (subscription.paymentReversedAt ?? now);
  await ctx.db
    .update(subscriptions)
    .set({ planType, status, pastDueSince, dueAt, paymentReversedAt, nextPlanType: pendingDowngrade })
    .where(eq(subscriptions.id, subscription.id));
  await recordAudit(ctx, {
    action: auditAction(subscription, { isPaid, planType }),
    entity: "subscription",
    entityId: subscription.id,
    accountId: subscription.accountId,
    before: { plan_type: subscription.planType, status: subscription.status },
    after: { plan_type: planType, status },
  });
}

/** Returns the audit action. A downgrade takes precedence over the payment status. */
function auditAction(
  subscription: SubscriptionRow,
  { isPaid, planType }: { isPaid: boolean; planType: PlanType },
): string {
  if (!isPaid) return "subscription.marked_past_due";
  const isSmaller = plans[planType].monthlyAmount < plans[subscription.planType].monthlyAmount;
  return isSmaller ? "subscription.upgrade_reversed" : "subscription.reactivated";
}

/**
 * Returns whether the payment of the period is intact, and the plan without what was reversed. An unpaid plan stays as
 * it is until it is paid again, and so does a plan whose smaller version has no capacity for the running campaigns.
 */
async function readPaid(ctx: Ctx, subscription: SubscriptionRow): Promise<{ isPaid: boolean; planType: PlanType }> {
  const { isPaid, planType } = await readPaidPlan(ctx, subscription);
  const fits = isPaid && planType && !planTooSmallReason(planType, await countPlanUsage(ctx, subscription.accountId));
  return { isPaid, planType: fits ? planType : subscription.planType };
}
