import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { dollarsOf, toCents } from "../../money.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";
import { nextRetry } from "./plan-change.ts";

type FailCtx = Ctx<PublisherActor | JobActor>;
type Unpaid = { row: PlanChangeRow; held: SubscriptionRow | undefined };

/**
 * A payment was refused. Of a renewal the plan is past due from the first time on, and is tried again on the days of
 * `retryDays`; after the last it is over, and what runs goes on. A plan that was chosen stays as it was.
 */
export async function failPlanPayment(ctx: FailCtx, { row, held, reason }: Unpaid & { reason: string }): Promise<void> {
  if (row.kind !== "renewal" || !held) return tell(ctx, { row, after: { reason } });
  const now = ctx.clock();
  const since = held.pastDueSince ?? now;
  const dueAt = nextRetry(since, now);
  if (dueAt) {
    await setPastDue(ctx, { held, since, dueAt });
    const next = dueAt.toISOString();
    return tell(ctx, { row, after: { reason, next_try_at: next }, next });
  }
  await endSubscription(ctx, { held, reason });
}

/** The bank wants to be told that a renewal is meant: until then it is not paid. */
export async function waitForConfirmation(ctx: FailCtx, { row, held }: Unpaid): Promise<void> {
  if (row.kind !== "renewal" || !held) return;
  const since = held.pastDueSince ?? ctx.clock();
  const dueAt = nextRetry(since, ctx.clock()) ?? ctx.clock();
  await setPastDue(ctx, { held, since, dueAt });
  await tell(ctx, { row, after: { reason: "Your bank asks you to confirm the payment." } });
}

async function setPastDue(
  ctx: FailCtx,
  { held, since, dueAt }: { held: SubscriptionRow; since: Date; dueAt: Date },
): Promise<void> {
  const set = { status: "past_due" as const, pastDueSince: since, dueAt };
  await ctx.db.update(subscriptions).set(set).where(eq(subscriptions.id, held.id));
}

async function tell(
  ctx: FailCtx,
  { row, after, next }: { row: PlanChangeRow; after: Record<string, unknown>; next?: string },
): Promise<void> {
  const { id, kind, subscriptionId, accountId, planType, amountCents } = row;
  await recordAudit(ctx, {
    action: kind === "renewal" ? "subscription.renewal_failed" : "subscription.payment_failed",
    entity: "subscription",
    entityId: subscriptionId ?? id,
    accountId,
    after: { plan_type: planType, amount: dollarsOf(toCents(amountCents)), ...after },
    told: { plan: planType, at: next },
  });
}

/** The plan is over: from now on the limit of those without one holds for what is new. */
export async function endSubscription(
  ctx: FailCtx,
  { held, reason }: { held: SubscriptionRow; reason?: string },
): Promise<void> {
  const ended = { status: "canceled" as const, endedAt: ctx.clock(), dueAt: null, pastDueSince: null };
  await ctx.db.update(subscriptions).set(ended).where(eq(subscriptions.id, held.id));
  await recordAudit(ctx, {
    action: "subscription.ended",
    entity: "subscription",
    entityId: held.id,
    accountId: held.accountId,
    before: { plan_type: held.planType, status: held.status },
    after: { status: "canceled", was: held.planType, ...(reason && { reason }) },
    told: { plan: held.planType },
  });
}
