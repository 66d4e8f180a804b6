import { and, eq, isNull } from "drizzle-orm";
import { invariant } from "#app/domain/invariant.ts";
import { fundsHolds } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { Cents } from "../../money.ts";
import { fundsShortfall } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/** A hold of delivery. A top-up has to exceed the shortfall, in cents, for campaigns to deliver. */
export type FundsHold = { shortfall: Cents };

/**
 * Returns the hold of the advertiser's delivery, whose funds are used up or which never had any; null while it has
 * funds.
 */
export async function findFundsHold(ctx: Ctx<AdvertiserActor>): Promise<FundsHold | null> {
  const { accountId } = ctx.actor;
  const holds = and(eq(fundsHolds.accountId, accountId), isNull(fundsHolds.releasedAt));
  if ((await ctx.db.$count(fundsHolds, holds)) === 0) return null;
  const funds = (await readFunds(ctx, [accountId])).get(accountId);
  invariant(funds, "advertiser has no funds row", { accountId });
  return { shortfall: fundsShortfall(funds) };
}
