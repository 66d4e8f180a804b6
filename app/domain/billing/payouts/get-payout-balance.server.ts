import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { nettedPlans, payouts, revenueShares } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { type Cents, toCents } from "../../money.ts";
import { freeShares, releasedBy, sumNettedPlans } from "./free-earnings.server.ts";
import { nextMonthlyPayout, openPayoutStatuses } from "./payout.ts";

/**
 * Where the publisher's earnings are, in cents: all that was earned is held, available, on its way, paid, or
 * was netted: it paid for a plan. `next` is the
 * payout of the next first of a month, of what is settled so far.
 */
export async function getPayoutBalance(ctx: Ctx<PublisherActor>) {
  const now = ctx.clock();
  const date = nextMonthlyPayout(now);
  const sumOf = (condition: ReturnType<typeof sql>) =>
    sqlValue(z.string(), sql`coalesce(sum(${revenueShares.earningsCents}) filter (where ${condition}), 0)::text`);
  const [free] = await ctx.db
    .select({ all: sumOf(sql`true`), available: sumOf(releasedBy(calendarDateOf(now))), next: sumOf(releasedBy(date)) })
    .from(revenueShares)
    .where(freeShares(ctx.actor.accountId));
  const sums = await ctx.db
    .select({ status: payouts.status, cents: sqlValue(z.string(), sql`sum(${payouts.amountCents})::text`) })
    .from(payouts)
    .where(eq(payouts.publisherId, ctx.actor.accountId))
    .groupBy(payouts.status);
  const of = (...statuses: readonly string[]) =>
    sums.filter(({ status }) => statuses.includes(status)).reduce((sum, { cents }) => sum + Number(cents), 0);
  const [nettedFree, netted] = [await sumNettedPlans(ctx, ctx.actor.accountId), await sumAllNetted(ctx)];
  const [all, available, inTransit, paid] = [
    Number(free?.all ?? 0) - nettedFree,
    Number(free?.available ?? 0) - nettedFree,
    of(...openPayoutStatuses),
    of("paid"),
  ];
  return {
    earned: toCents(all + inTransit + paid + netted),
    held: toCents(all - available),
    available: toCents(available),
    inTransit: toCents(inTransit),
    paid: toCents(paid),
    netted,
    next: { date, amount: toCents(Number(free?.next ?? 0) - nettedFree) },
  };
}

/** What all plans cost that were ever paid from earnings. */
async function sumAllNetted(ctx: Ctx<PublisherActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${nettedPlans.amountCents}), 0)::text`) })
    .from(nettedPlans)
    .where(eq(nettedPlans.publisherId, ctx.actor.accountId));
  return toCents(Number(row?.cents ?? 0));
}

export type PayoutBalance = Awaited<ReturnType<typeof getPayoutBalance>>;
