import type { Ctx, PublisherActor } from "../../context.ts";
import { findSubscriptionRow, type SubscriptionRow } from "../find-subscription.server.ts";
import type { PlanType } from "../plan.ts";
import { readPaidPlan } from "../reversals/read-paid-plan.server.ts";
import { periodFrom } from "./billing-period.ts";
import { computePlanQuote, type PlanQuote } from "./plan-quote.ts";
import { countPlanUsage } from "./plan-usage.server.ts";

/** Returns what the choice of a plan does and costs now, to show before the user confirms. */
export async function quotePlan(ctx: Ctx<PublisherActor>, { planType }: { planType: PlanType }): Promise<PlanQuote> {
  return quotePlanFor(ctx, { planType, subscription: await findSubscriptionRow(ctx, ctx.actor.accountId) });
}

/** Returns the quote for a subscription that the caller read or locked. */
export async function quotePlanFor(
  ctx: Ctx<PublisherActor>,
  { planType, subscription }: { planType: PlanType; subscription: SubscriptionRow | undefined },
): Promise<PlanQuote> {
  const now = ctx.clock();
  const used = await countPlanUsage(ctx, ctx.actor.accountId);
  const paidPlanType = subscription && (await readPaidPlan(ctx, subscription)).planType;
  return computePlanQuote(planType, { subscription, paidPlanType, used, now, firstPeriod: periodFrom(now, now) });
}
