import type { Ctx, PublisherActor } from "../../context.ts";
import { findSubscriptionRow, type SubscriptionRow } from "../find-subscription.server.ts";
import type { PlanType } from "../plan.ts";
import { periodFrom } from "./billing-period.ts";
import { type PlanQuote, quoteFor } from "./plan-quote.ts";
import { countPlanUse } from "./plan-use.server.ts";

/** What the choice of a plan would do and cost now: to be said before the click. */
export async function quotePlan(ctx: Ctx<PublisherActor>, { planType }: { planType: PlanType }): Promise<PlanQuote> {
  return quoteNow(ctx, { planType, held: await findSubscriptionRow(ctx, ctx.actor.accountId) });
}

/** The same for a plan that the caller read, or locked. */
export async function quoteNow(
  ctx: Ctx<PublisherActor>,
  { planType, held }: { planType: PlanType; held: SubscriptionRow | undefined },
): Promise<PlanQuote> {
  const now = ctx.clock();
  const used = await countPlanUse(ctx, ctx.actor.accountId);
  return quoteFor(planType, { held, used, now, first: periodFrom(now, now) });
}
