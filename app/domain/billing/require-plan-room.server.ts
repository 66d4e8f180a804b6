import { eq } from "drizzle-orm";
import { accounts, subscriptions } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { currentOf } from "./find-subscription.server.ts";
import { plans, planWithoutSubscription } from "./plan.ts";
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
  const plan = plans[subscription?.planType ?? planWithoutSubscription];
  if (plan.campaignLimit === undefined) return;
  if ((await countPlanUse(ctx, publisherId)) >= plan.campaignLimit) {
    throw new DomainError(
      "limit_reached",
      `Your ${plan.label} plan allows ${plan.campaignLimit} campaigns at a time. Upgrade your plan to approve more.`,
    );
  }
}
