import { and, eq, ne } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { plans } from "./plan.ts";

/** The account's plan, or undefined: advertisers have none, and a publisher may have none. The amount in cents a month. */
export async function findSubscription(ctx: Ctx<TenantActor>) {
  if (ctx.actor.kind === "advertiser") return undefined;
  const [row] = await ctx.db
    .select({
      id: subscriptions.id,
      planType: subscriptions.planType,
      status: subscriptions.status,
      createdAt: subscriptions.createdAt,
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, ctx.actor.accountId), ne(subscriptions.status, "canceled")));
  return row && { ...row, monthlyAmount: plans[row.planType].monthlyAmount };
}

export type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;
