import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { payouts, planOffsets, revenueShares } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { asCents, type Cents } from "../../money.ts";
import { nextMonthlyPayout, openPayoutStatuses } from "./payout.ts";
import { releasedBy, sharesWithoutPayout, sumOffsetsWithoutPayout } from "./unpaid-earnings.server.ts";

/**
 * Returns the publisher's earnings, in cents, as held, available, in transit, paid, and `netted` (offset against plan
 * payments); together these are `earned`. `next` is the payout on the first of next month from what is settled so far.
 */
export async function getPayoutBalance(ctx: Ctx<PublisherActor>) {
  const now = ctx.clock();
  const date = nextMonthlyPayout(now);
  const sumOf = (condition: ReturnType<typeof sql>) =>
    sqlValue(z.string(), sql`coalesce(sum(${revenueShares.earningsCents}) filter (where ${condition}), 0)::text`);
  const [unpaid] = await ctx.db
    .select({ all: sumOf(sql`true`), available: sumOf(releasedBy(calendarDateOf(now))), next: sumOf(releasedBy(date)) })
    .from(revenueShares)
    .where(sharesWithoutPayout(ctx.actor.accountId));
  const sums = await ctx.db
    .select({ status: payouts.status, cents: sqlValue(z.string(), sql`sum(${payouts.amountCents})::text`) })
    .from(payouts)
    .where(eq(payouts.publisherId, ctx.actor.accountId))
    .groupBy(payouts.status);
  const centsWithStatus = (...statuses: readonly string[]) =>
    sums.filter(({ status }) => statuses.includes(status)).reduce((sum, { cents }) => sum + Number(cents), 0);
  const [nettedUnpaid, netted] = [await sumOffsetsWithoutPayout(ctx, ctx.actor.accountId), await sumAllNetted(ctx)];
  const [all, available, inTransit, paid] = [
    Number(unpaid?.all ?? 0) - nettedUnpaid,
    Number(unpaid?.available ?? 0) - nettedUnpaid,
    centsWithStatus(...openPayoutStatuses),
    centsWithStatus("paid"),
  ];
  return {
    earned: asCents(all + inTransit + paid + netted),
    held: asCents(all - available),
    available: asCents(available),
    inTransit: asCents(inTransit),
    paid: asCents(paid),
    netted,
    next: { date, amount: asCents(Number(unpaid?.next ?? 0) - nettedUnpaid) },
  };
}

/** Returns the total of all plan payments that were ever offset against earnings, in cents. */
async function sumAllNetted(ctx: Ctx<PublisherActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${planOffsets.amountCents}), 0)::text`) })
    .from(planOffsets)
    .where(eq(planOffsets.publisherId, ctx.actor.accountId));
  return asCents(Number(row?.cents ?? 0));
}

export type PayoutBalance = Awaited<ReturnType<typeof getPayoutBalance>>;
