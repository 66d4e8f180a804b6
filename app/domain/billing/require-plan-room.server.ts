import { eq } from "drizzle-orm";
import { accounts, subscriptions } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { currentOf } from "./find-subscription.server.ts";
import { plans, trialCampaignLimit } from "./plan.ts";
import { countPlanUse } from "./subscription/plan-use.server.ts";

/**
 * Throws `limit_reached` when the publisher's plan has no room for one more campaign that is approved or managed and
 * not completed. Locks the subscription (or the account, without one) first, so that two at once cannot both take the
 * last place, nor the plan get smaller meanwhile; so it is called inside the transaction that takes it.
 */
export async function requirePlanRoom(ctx: Ctx<PublisherActor>): Promise<void> {
  const publisherId = ctx.actor.accountId;
  const [subscription] = await ctx.db
    .select({ planType: subscriptions.planType })
    .from(subscriptions)
    .where(currentOf(publisherId))
    .for("no key update");
  if (!subscription)
    await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, publisherId)).for("no key update");
  const plan = subscription && plans[subscription.planType];
  const limit = plan ? plan.campaignLimit : trialCampaignLimit;
  if (limit === undefined || (await countPlanUse(ctx, publisherId)) < limit) return;
  throw new DomainError(
    "limit_reached",
    plan
      ? `Your ${plan.label} plan allows ${limit} campaigns at a time. Upgrade your plan to approve more.`
      : "Without a plan you can have one campaign at a time. Choose a plan to approve more.",
  );
}
