import { eq } from "drizzle-orm";
import { accounts, subscriptions } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { currentOf, type SubscriptionRow } from "../find-subscription.server.ts";

/**
 * The publisher's plan, locked until the end of the transaction, so that it changes once at a time and no campaign takes a place
 * meanwhile. The account is locked first, where there is no plan too.
 */
export async function lockPlan(ctx: Ctx, accountId: AccountId): Promise<SubscriptionRow | undefined> {
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const [row] = await ctx.db.select().from(subscriptions).where(currentOf(accountId)).for("no key update");
  return row;
}
