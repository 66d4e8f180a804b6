import { eq } from "drizzle-orm";
import { accounts, subscriptions } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { isCurrentSubscription } from "./find-subscription.server.ts";
import { plans, trialCampaignLimit } from "./plan.ts";
import { countPlanUsage } from "./subscription/plan-usage.server.ts";

/**
 * Throws `limit_reached` when the publisher's plan has no capacity for one more campaign that is approved or managed
 * and not completed. Locks the subscription first, or the account when there is none, so that two concurrent approvals
 * cannot both use the last slot and the plan cannot be downgraded meanwhile. Call it within the transaction that
 * approves the campaign.
 */
export async function requirePlanCapacity(ctx: Ctx<PublisherActor>): Promise<void> {
  const publisherId = ctx.actor.accountId;
  const [subscription] = await ctx.db
    .select({ planType: subscriptions.planType })
    .from(subscriptions)
    .where(isCurrentSubscription(publisherId))
    .for("no key update");
  if (!subscription)
    await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, publisherId)).for("no key update");
  const plan = subscription && plans[subscription.planType];
  const limit = plan ? plan.campaignLimit : trialCampaignLimit;
  if (limit === undefined || (await countPlanUsage(ctx, publisherId)) < limit) return;
  throw new DomainError(
    "limit_reached",
    plan
      ? `You've reached your ${plan.label} plan's limit of ${limit} campaigns. Upgrade your plan to approve more.`
      : "Without a plan you can have one campaign at a time. Choose a plan to approve more.",
  );
}
