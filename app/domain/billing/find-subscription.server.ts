import { and, desc, eq, ne } from "drizzle-orm";
import { accounts, planChanges, subscriptions } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { type PlanType, plans } from "./plan.ts";
import { isOpen } from "./subscription/plan-change.ts";

/**
 * The account's plan, or undefined: advertisers have none, and a publisher may have none. The amount in cents a month; `next`
 * is what is charged at the period's end, and as which plan; `overdue` says why the last renewal was not paid, and when it is tried again.
 */
export async function findSubscription(ctx: Ctx<TenantActor>) {
  if (ctx.actor.kind === "advertiser") return undefined;
  const [found] = await ctx.db
    .select({ row: subscriptions, payFrom: accounts.planPaidFrom })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(currentOf(ctx.actor.accountId));
  if (!found) return undefined;
  const { row, payFrom } = found;
  const { id, planType, status, createdAt, periodStartedAt, periodEndsAt, nextPlanType, cancelAtPeriodEnd } = row;
  const goesOnAs = nextPlanType ?? planType;
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
        : { planType: goesOnAs, amount: plans[goesOnAs].monthlyAmount, at: periodEndsAt },
    overdue: row.pastDueSince ? { since: row.pastDueSince, ...(await readOverdue(ctx, row)) } : null,
  };
}

export type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;
export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** The one that is not canceled. */
export async function findSubscriptionRow(
  ctx: Pick<Ctx, "db">,
  accountId: AccountId,
): Promise<SubscriptionRow | undefined> {
  const [row] = await ctx.db.select().from(subscriptions).where(currentOf(accountId));
  return row;
}

export function currentOf(accountId: AccountId) {
  return and(eq(subscriptions.accountId, accountId), ne(subscriptions.status, "canceled"));
}

/** The last try to renew it. */
async function readOverdue(ctx: Ctx<TenantActor>, { id, planType, dueAt, takenBackAt }: SubscriptionRow) {
  const [renewal] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.subscriptionId, id), eq(planChanges.kind, "renewal")))
    .orderBy(desc(planChanges.id))
    .limit(1);
  // Of those before the payment was taken back none says why it is open.
  const last = renewal && takenBackAt && renewal.createdAt <= takenBackAt ? undefined : renewal;
  const open = last && isOpen(last.status) ? last : undefined;
  const owedFor: PlanType = last?.planType ?? planType;
  return {
    planType: owedFor,
    amount: plans[owedFor].monthlyAmount,
    reason: last?.failure ?? (takenBackAt && "The last payment for it was taken back."),
    confirmUrl: open?.confirmUrl ?? null,
    nextTryAt: open ? null : dueAt,
  };
}
