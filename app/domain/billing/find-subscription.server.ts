import { and, desc, eq, ne } from "drizzle-orm";
import { accounts, planChanges, subscriptions } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { type PlanType, plans } from "./plan.ts";
import { findUndisputedMethod } from "./reversals/find-undisputed-method.server.ts";
import { isOpenChange, unpaidEndsAt } from "./subscription/plan-change.ts";
import type { PlanFunding } from "./subscription/plan-funding.ts";
import { planOfNextPeriod } from "./subscription/plan-quote.ts";
import { countPlanUsage } from "./subscription/plan-usage.server.ts";

/**
 * Returns the account's current plan; undefined for advertisers and for publishers without a plan. Amounts are in cents
 * per month. `next` is the plan and amount charged at the end of the period; `overdue` says why the last renewal
 * failed, when it is retried, whether with the payment method, and when the plan ends unpaid.
 */
export async function findSubscription(ctx: Ctx<TenantActor>) {
  if (ctx.actor.kind === "advertiser") return undefined;
  const [subscriptionRow] = await ctx.db
    .select({ row: subscriptions, payFrom: accounts.planFundingSource })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(isCurrentSubscription(ctx.actor.accountId));
  if (!subscriptionRow) return undefined;
  const { row, payFrom } = subscriptionRow;
  const { id, planType, status, createdAt, periodStartedAt, periodEndsAt, nextPlanType, cancelAtPeriodEnd } = row;
  const nextPlan = nextPlanType ?? planType;
  return {
    id,
    planType,
    status,
    createdAt,
    periodStartedAt,
    periodEndsAt,
    nextPlanType,
    cancelAtPeriodEnd,
    monthlyAmount: plans[planType].monthlyAmount,
    payFrom,
    next:
      cancelAtPeriodEnd || row.pastDueSince
        ? null
        : { planType: nextPlan, amount: plans[nextPlan].monthlyAmount, at: periodEndsAt },
    overdue: row.pastDueSince ? await readOverdue(ctx, { ...row, payFrom, pastDueSince: row.pastDueSince }) : null,
  };
}

export type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;
export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Returns the account's subscription that is not canceled. */
export async function findSubscriptionRow(
  ctx: Pick<Ctx, "db">,
  accountId: AccountId,
): Promise<SubscriptionRow | undefined> {
  const [row] = await ctx.db.select().from(subscriptions).where(isCurrentSubscription(accountId));
  return row;
}

export function isCurrentSubscription(accountId: AccountId) {
  return and(eq(subscriptions.accountId, accountId), ne(subscriptions.status, "canceled"));
}

/** Returns the state of the last attempt to renew, and the plan and price of the next one. */
async function readOverdue(
  ctx: Ctx<TenantActor>,
  subscription: SubscriptionRow & { payFrom: PlanFunding; pastDueSince: Date },
) {
  const { id, accountId, payFrom, dueAt, paymentReversedAt, pastDueSince, cancelAtPeriodEnd } = subscription;
  const [renewal] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.subscriptionId, id), eq(planChanges.kind, "renewal")))
    .orderBy(desc(planChanges.id))
    .limit(1);
  // A renewal from before the reversal does not explain why the payment is due.
  const last = renewal && paymentReversedAt && renewal.createdAt <= paymentReversedAt ? undefined : renewal;
  const open = last && isOpenChange(last.status) ? last : undefined;
  const duePlanType: PlanType =
    last?.planType ?? planOfNextPeriod(subscription, await countPlanUsage(ctx, accountId)).planType;
  const chargesMethod = (await findUndisputedMethod(ctx, accountId)).method !== undefined;
  const isRetried = !open && !cancelAtPeriodEnd && (chargesMethod || payFrom === "earnings");
  return {
    since: pastDueSince,
    endsAt: unpaidEndsAt(subscription),
    planType: duePlanType,
    amount: plans[duePlanType].monthlyAmount,
    reason: last?.failure ?? (paymentReversedAt && "The last payment for your plan was reversed."),
    confirmUrl: open?.confirmUrl ?? null,
    nextTryAt: isRetried ? dueAt : null,
    chargesMethod,
  };
}
