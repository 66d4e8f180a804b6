import { eq } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { accounts, subscriptions } from "#db/schema/index.ts";
import { isCurrentSubscription, type SubscriptionRow } from "../find-subscription.server.ts";

/**
 * Locks the account and its current subscription until the transaction ends, so that plan changes are serialized and no
 * campaign is approved meanwhile. The account is locked first, because there may be no subscription.
 */
export async function lockSubscription(ctx: Ctx, accountId: AccountId): Promise<SubscriptionRow | undefined> {
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const [row] = await ctx.db.select().from(subscriptions).where(isCurrentSubscription(accountId)).for("no key update");
  return row;
}
