import { and, asc, eq, gt, lte, ne, not, or, sql } from "drizzle-orm";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { accounts, subscriptions } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { forEachAccount } from "../../for-each-account.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import { readInParts } from "../../read-in-parts.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { findUndisputedMethod } from "../reversals/find-undisputed-method.server.ts";
import { endSubscription } from "./fail-plan-payment.server.ts";
import { findOpenChange } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";
import { unpaidEndsAt } from "./plan-change.ts";
import { startRenewal } from "./renew-subscription.server.ts";

/** The number of plans that are read at once. */
const batchSize = 200;

/**
 * Renews the plans whose period has ended, retries past-due plans on their retry days, and ends canceled plans.
 * Suspended accounts are not charged. Each payment is stored before it is charged, so that concurrent or interrupted
 * runs charge it once. A plan that fails keeps no other from its renewal. Returns how many plans were processed.
 */
export async function renewDueSubscriptions(ctx: Ctx<JobActor>): Promise<number> {
  // Without a payment provider no renewal is started.
  if (!arePaymentsSetUp()) return 0;
  const due = readInParts<AccountId>((after) => listDue(ctx, after));
  return forEachAccount(ctx, due, (accountId) => renewOne(ctx, accountId));
}

/** By the account, not by the time: plans that fail stay due, and would be the oldest of every batch. */
async function listDue(ctx: Ctx<JobActor>, after: AccountId | undefined): Promise<AccountId[]> {
  // A suspended publisher cannot use its plan or cancel it, so it is not charged; a canceled plan ends all the same.
  const ofSuspended = sql`exists (select from ${accounts} where ${accounts.id} = ${subscriptions.accountId} and ${accounts.status} = 'suspended')`;
  const canBeProcessed = or(eq(subscriptions.cancelAtPeriodEnd, true), not(ofSuspended));
  const isDue = and(ne(subscriptions.status, "canceled"), lte(subscriptions.dueAt, ctx.clock()), canBeProcessed);
  const rows = await ctx.db
    .select({ id: subscriptions.accountId })
    .from(subscriptions)
    .where(and(isDue, after && gt(subscriptions.accountId, after)))
    .orderBy(asc(subscriptions.accountId))
    .limit(batchSize);
  return rows.map(({ id }) => id);
}

async function renewOne(ctx: Ctx<JobActor>, accountId: AccountId): Promise<boolean> {
  const started = await inTransaction(ctx, (tx) => startOne(tx, accountId));
  if (typeof started === "boolean") return started;
  try {
    await finishPlanChange(ctx, { id: started });
  } catch (error) {
    // The payment is stored; the job for unfinished payments resumes it.
    if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
  }
  return true;
}

/**
 * Starts the renewal. Returns the plan change to finish; without a payment, returns whether there was anything to do.
 */
async function startOne(ctx: Ctx<JobActor>, accountId: AccountId): Promise<PlanChangeId | boolean> {
  const subscription = await lockSubscription(ctx, accountId);
  const now = ctx.clock();
  if (!subscription?.dueAt || subscription.dueAt > now) return false;
  // The account may have been suspended since the plans were listed; it is locked now.
  if (!subscription.cancelAtPeriodEnd && (await isSuspended(ctx, accountId))) return false;
  // Applying the payment sets the next due time; this is the fallback. A payment in progress comes first.
  const fallbackDueAt = new Date(now.getTime() + 600_000);
  await ctx.db.update(subscriptions).set({ dueAt: fallbackDueAt }).where(eq(subscriptions.id, subscription.id));
  if (await findOpenChange(ctx, accountId)) return false;
  if (subscription.cancelAtPeriodEnd) return endCanceledPlan(ctx, subscription);
  const method = () => findUndisputedMethod(ctx, accountId);
  return startRenewal(ctx, {
    subscription,
    method,
    returnPath: (id) => `/publisher/billing/subscription/payments/${id}`,
  });
}

async function isSuspended(ctx: Ctx<JobActor>, accountId: AccountId): Promise<boolean> {
  return (await ctx.db.$count(accounts, and(eq(accounts.id, accountId), eq(accounts.status, "suspended")))) > 0;
}

/**
 * Ends a canceled plan with its period, or a week after its payment was reversed; it is not charged again meanwhile.
 * Returns whether it has ended.
 */
async function endCanceledPlan(ctx: Ctx<JobActor>, subscription: SubscriptionRow): Promise<boolean> {
  const { id, periodEndsAt, pastDueSince } = subscription;
  const endsAt = pastDueSince ? unpaidEndsAt({ ...subscription, pastDueSince }) : periodEndsAt;
  if (endsAt > ctx.clock()) {
    await ctx.db.update(subscriptions).set({ dueAt: endsAt }).where(eq(subscriptions.id, id));
    return false;
  }
  await endSubscription(ctx, { subscription, endedBy: endsAt < periodEndsAt ? "reversal" : undefined });
  return true;
}
