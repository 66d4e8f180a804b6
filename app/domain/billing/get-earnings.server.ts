import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItemCounts, revenueShares } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { asCents } from "../money.ts";
import { getPayoutBalance } from "./payouts/get-payout-balance.server.ts";

/**
 * Returns the publisher's earnings under the words of money-words.ts, in cents: commission earned = total earnings + not
 * settled + refunded, and total earnings = pending + available + in transit + paid + applied to the plan.
 */
export async function getEarnings(ctx: Ctx<PublisherActor>) {
  const { accountId } = ctx.actor;
  const [delivered] = await ctx.db
    .select({
      cents: sqlValue(z.string(), sql`coalesce(sum(${lineItemCounts.commissionCents}), 0)::text`),
    })
    .from(lineItemCounts)
    .where(eq(lineItemCounts.publisherId, accountId));
  const sharesOf = (condition: ReturnType<typeof sql>) =>
    sqlValue(z.string(), sql`coalesce(sum(${revenueShares.earningsCents}) filter (where ${condition}), 0)::text`);
  const [shares] = await ctx.db
    .select({
      settled: sharesOf(sql`${revenueShares.refundId} is null`),
      refunds: sharesOf(sql`${revenueShares.refundId} is not null`),
    })
    .from(revenueShares)
    .where(eq(revenueShares.publisherId, accountId));
  const balance = await getPayoutBalance(ctx);
  const commissionEarned = asCents(Number(delivered?.cents ?? 0));
  return {
    commissionEarned,
    notSettled: asCents(commissionEarned - Number(shares?.settled ?? 0)),
    refunded: asCents(-Number(shares?.refunds ?? 0) || 0),
    totalEarnings: balance.earned,
    pending: balance.held,
    available: balance.available,
    inTransit: balance.inTransit,
    paid: balance.paid,
    appliedToPlan: balance.netted,
  };
}

export type Earnings = Awaited<ReturnType<typeof getEarnings>>;
