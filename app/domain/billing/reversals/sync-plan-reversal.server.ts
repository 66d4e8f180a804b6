import { and, asc, eq, gt, inArray } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { PlanChangeId } from "#app/domain/ids.ts";
import { paymentReversals, planChanges, subscriptions } from "#db/schema/index.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import type { PlanChangeRow } from "../subscription/find-plan-change.server.ts";
import { nextDueAt } from "../subscription/plan-change.ts";
import { planTooSmallReason } from "../subscription/plan-quote.ts";
import { countPlanUsage } from "../subscription/plan-usage.server.ts";

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
 * Returns whether the payment of the period is intact, and the largest plan that is paid for in it. A plan from the
 * seed has no payment and counts as paid.
 */
async function readPaid(ctx: Ctx, subscription: SubscriptionRow): Promise<{ isPaid: boolean; planType: PlanType }> {
  const isOfPeriod = and(
    eq(planChanges.subscriptionId, subscription.id),
    eq(planChanges.periodStartedAt, subscription.periodStartedAt),
    eq(planChanges.status, "succeeded"),
  );
  const payments = (await ctx.db.select().from(planChanges).where(isOfPeriod)).filter(
    ({ amountCents }) => amountCents > 0,
  );
  const isIntact = ({ amountCents, reversedCents }: PlanChangeRow) => reversedCents < amountCents;
  const isPaid = payments.every((payment) => payment.kind === "upgrade" || isIntact(payment));
  const price = ({ planType }: { planType: PlanType }) => plans[planType].monthlyAmount;
  // An upgrade was charged only the difference from the plan before it, so it counts as paid only while the payments that
  // were intact when it was made still are.
  const reversedAt = await readReversalTimes(ctx, payments);
  const isPaidUp = (upgrade: PlanChangeRow) =>
    payments.every((step) => {
      const at = isIntact(step) ? undefined : reversedAt.get(step.id);
      return !at || step.createdAt >= upgrade.createdAt || at <= upgrade.createdAt;
    });
  const intact = payments.filter((payment) => isIntact(payment) && isPaidUp(payment));
  const [largest] = intact.sort((payment, other) => price(other) - price(payment));
  // An unpaid plan stays as it is until it is paid again, and so does a plan whose smaller version has no capacity for
  // the running campaigns.
  const fits =
    isPaid && largest && !planTooSmallReason(largest.planType, await countPlanUsage(ctx, subscription.accountId));
  return { isPaid, planType: fits ? largest.planType : subscription.planType };
}

/** Returns when each payment was last reversed. */
async function readReversalTimes(
  ctx: Ctx,
  payments: readonly PlanChangeRow[],
): Promise<Map<PlanChangeId | null, Date>> {
  const ids = payments.map(({ id }) => id);
  const rows = await ctx.db
    .select({ id: paymentReversals.planChangeId, at: paymentReversals.createdAt })
    .from(paymentReversals)
    .where(and(inArray(paymentReversals.planChangeId, ids), gt(paymentReversals.amountCents, 0)))
    .orderBy(asc(paymentReversals.createdAt));
  return new Map(rows.map(({ id, at }) => [id, at]));
}
