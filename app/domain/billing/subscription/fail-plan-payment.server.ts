import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { asCents, centsToDollars } from "../../money.ts";
import type { PlanEnding } from "../../notifications/notification.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";
import { nextDueAt } from "./plan-change.ts";

type FailCtx = Ctx<PublisherActor | JobActor>;
type UnpaidChange = { row: PlanChangeRow; subscription: SubscriptionRow | undefined };

/**
 * Handles a declined payment. A declined renewal makes the plan past due; it is retried on the days of `retryDays`, and
 * after the last one the plan ends, while running campaigns continue. Any other payment leaves the plan unchanged.
 */
export async function failPlanPayment(
  ctx: FailCtx,
  { row, subscription, reason }: UnpaidChange & { reason: string },
): Promise<void> {
  if (row.kind !== "renewal" || !subscription) return recordFailure(ctx, { row, subscription, after: { reason } });
  const now = ctx.clock();
  const pastDueSince = subscription.pastDueSince ?? now;
  const dueAt = nextDueAt({ ...subscription, pastDueSince }, now);
  if (dueAt) {
    await setPastDue(ctx, { subscription, pastDueSince, dueAt });
    // Without a method to charge, a retry is no promise.
    const isCharged = row.paymentMethodId !== null && !subscription.cancelAtPeriodEnd;
    const next = isCharged ? dueAt.toISOString() : undefined;
    return recordFailure(ctx, { row, subscription, after: { reason, ...(next && { next_try_at: next }) }, next });
  }
  await endSubscription(ctx, { subscription, reason });
}

/** Marks the plan as past due until the user confirms the renewal with the bank. */
export async function markAwaitingConfirmation(ctx: FailCtx, { row, subscription }: UnpaidChange): Promise<void> {
  if (row.kind !== "renewal" || !subscription) return;
  const now = ctx.clock();
  const pastDueSince = subscription.pastDueSince ?? now;
  const dueAt = nextDueAt({ ...subscription, pastDueSince }, now) ?? now;
  await setPastDue(ctx, { subscription, pastDueSince, dueAt });
  await recordFailure(ctx, { row, subscription, after: { reason: "Your bank asks you to confirm the payment." } });
}

async function setPastDue(
  ctx: FailCtx,
  { subscription, pastDueSince, dueAt }: { subscription: SubscriptionRow; pastDueSince: Date; dueAt: Date },
): Promise<void> {
  const changes = { status: "past_due" as const, pastDueSince: pastDueSince, dueAt };
  await ctx.db.update(subscriptions).set(changes).where(eq(subscriptions.id, subscription.id));
}

async function recordFailure(
  ctx: FailCtx,
  { row, subscription, after, next }: UnpaidChange & { after: Record<string, unknown>; next?: string | undefined },
): Promise<void> {
  const { id, kind, subscriptionId, accountId, planType, amountCents } = row;
  await recordAudit(ctx, {
    action: kind === "renewal" ? "subscription.renewal_failed" : "subscription.payment_failed",
    entity: "subscription",
    entityId: subscriptionId ?? id,
    accountId,
    after: { plan_type: planType, amount: centsToDollars(asCents(amountCents)), ...after },
    notificationFacts: {
      plan: planType,
      at: next,
      ...(subscription?.cancelAtPeriodEnd && { isPlanCanceled: true }),
    },
  });
}

/**
 * Ends the plan. From now on the limit without a plan applies to new campaigns. `endedBy` says why a canceled plan ends
 * before its period does.
 */
export async function endSubscription(
  ctx: Ctx,
  {
    subscription,
    reason,
    endedBy,
  }: { subscription: SubscriptionRow; reason?: string; endedBy?: PlanEnding | undefined },
): Promise<void> {
  const changes = { status: "canceled" as const, endedAt: ctx.clock(), dueAt: null, pastDueSince: null };
  await ctx.db.update(subscriptions).set(changes).where(eq(subscriptions.id, subscription.id));
  await recordAudit(ctx, {
    action: "subscription.ended",
    entity: "subscription",
    entityId: subscription.id,
    accountId: subscription.accountId,
    before: { plan_type: subscription.planType, status: subscription.status },
    after: {
      status: "canceled",
      was: subscription.planType,
      ...(reason && { reason }),
      ...(endedBy && { by: endedBy }),
    },
    notificationFacts: { plan: subscription.planType, endedBy },
  });
}
