import { and, eq, isNull } from "drizzle-orm";
import { fundsHolds } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";

/** Returns whether the advertiser's delivery is on hold because its funds are used up, or because it never had any. */
export async function isOnFundsHold(ctx: Ctx<AdvertiserActor>): Promise<boolean> {
  const holds = and(eq(fundsHolds.accountId, ctx.actor.accountId), isNull(fundsHolds.releasedAt));
  return (await ctx.db.$count(fundsHolds, holds)) > 0;
}
