import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { endSubscription } from "./fail-plan-payment.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";
import { requireNoOpenChange, resolveOpenChange } from "./resolve-open-change.server.ts";

/**
 * Cancels the plan at the end of the paid period; choosing the plan again until then undoes the cancellation. A plan
 * that is past due or whose period is over ends immediately. No effect on a canceled plan. Throws `not_found` without a
 * plan, `invalid_transition` while a payment is processing.
 */
export async function cancelSubscription(ctx: Ctx<PublisherActor>): Promise<{ endsAt: Date }> {
  await resolveOpenChange(ctx);
  return cancelPlan(ctx, { accountId: ctx.actor.accountId });
}

/**
 * Does the same for any account, which operators need for a publisher that has no access to its pages. A payment in
 * progress is not canceled: `invalid_transition` until it is done.
 */
export async function cancelPlan(
  ctx: Ctx<PublisherActor | OperatorActor>,
  { accountId }: { accountId: AccountId },
): Promise<{ endsAt: Date }> {
  return inTransaction(ctx, async (tx) => {
    const subscription = await lockSubscription(tx, accountId);
    if (!subscription) throw notFound("Subscription");
    await requireNoOpenChange(tx, accountId);
    const endsAt = subscription.periodEndsAt;
    const isPastDue = subscription.status === "past_due";
    if (isPastDue || endsAt <= tx.clock()) {
      const isByOperator = isPastDue && tx.actor.kind === "operator";
      await endSubscription(tx, { subscription, endedBy: isByOperator ? "operator" : undefined });
      return { endsAt: tx.clock() };
    }
    if (subscription.cancelAtPeriodEnd) return { endsAt };
    const set = { cancelAtPeriodEnd: true, nextPlanType: null };
    await tx.db.update(subscriptions).set(set).where(eq(subscriptions.id, subscription.id));
    await recordAudit(tx, {
      action: "subscription.canceled",
      entity: "subscription",
      entityId: subscription.id,
      accountId: subscription.accountId,
      before: { cancel_at_period_end: false, next_plan_type: subscription.nextPlanType },
      after: { cancel_at_period_end: true, ends_at: endsAt.toISOString(), was: subscription.planType },
    });
    return { endsAt };
  });
}
