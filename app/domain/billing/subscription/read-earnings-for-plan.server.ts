import { and, eq } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { accounts, subscriptions } from "#db/schema/index.ts";
import { isCurrentSubscription } from "../find-subscription.server.ts";
import { plans } from "../plan.ts";
import { planOfNextPeriod } from "./plan-quote.ts";
import { countPlanUsage } from "./plan-usage.server.ts";

/**
 * Returns the earnings that the next payment of the publisher's plan needs, in cents: 0 without a plan, for one that is
 * canceled, and for one that is charged to a payment method.
 */
export async function readEarningsForPlan(ctx: Ctx, publisherId: AccountId): Promise<Cents> {
  const isPaidFromEarnings = and(
    isCurrentSubscription(publisherId),
    eq(subscriptions.cancelAtPeriodEnd, false),
    eq(accounts.planFundingSource, "earnings"),
  );
  const [subscription] = await ctx.db
    .select({ planType: subscriptions.planType, nextPlanType: subscriptions.nextPlanType })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(isPaidFromEarnings);
  if (!subscription) return asCents(0);
  return plans[planOfNextPeriod(subscription, await countPlanUsage(ctx, publisherId)).planType].monthlyAmount;
}
