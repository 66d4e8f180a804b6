import { and, eq, min, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItems, revenueShares } from "#db/schema/index.ts";
import { type CalendarMonth, calendarMonthOf } from "../calendar-month.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { type Cents, toCents } from "../money.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import type { RevenueShareStatus } from "./revenue-share.ts";
import { withinMonth } from "./within-month.server.ts";

export type RevenueShareFilters = { status?: RevenueShareStatus; month?: CalendarMonth };

/** What each settlement of the publisher's line items brought it, newest first: spend = earnings + fee, in cents. */
export async function listRevenueShares(ctx: Ctx<PublisherActor>, input: PageRequest & RevenueShareFilters) {
  const newest = newestFirst(input, revenueShares.id);
  const rows = await ctx.db
    .select({
      id: revenueShares.id,
      campaignName: lineItems.campaignName,
      spendCents: revenueShares.spendCents,
      earningsCents: revenueShares.earningsCents,
      feeCents: revenueShares.feeCents,
      status: revenueShares.status,
      createdAt: revenueShares.createdAt,
    })
    .from(revenueShares)
    .innerJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .where(
      and(
        eq(revenueShares.publisherId, ctx.actor.accountId),
        input.status && eq(revenueShares.status, input.status),
        withinMonth(revenueShares.createdAt, input.month),
        newest.beyond,
      ),
    )
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ spendCents, earningsCents, feeCents, ...row }) => ({
      ...row,
      spend: toCents(spendCents),
      earnings: toCents(earningsCents),
      fee: toCents(feeCents),
    })),
  };
}

export type RevenueShare = Awaited<ReturnType<typeof listRevenueShares>>["rows"][number];

/** All that the publisher's revenue shares brought it, in cents. */
export async function sumEarnings(ctx: Ctx<PublisherActor>): Promise<Cents> {
  const { pending, paid } = await sumEarningsByStatus(ctx);
  return toCents(pending + paid);
}

/** What of the publisher's earnings was paid out, and what not yet, in cents. Together they are `sumEarnings`. */
export async function sumEarningsByStatus(ctx: Ctx<PublisherActor>): Promise<Record<RevenueShareStatus, Cents>> {
  const rows = await ctx.db
    .select({
      status: revenueShares.status,
      cents: sqlValue(z.string(), sql`sum(${revenueShares.earningsCents})::text`),
    })
    .from(revenueShares)
    .where(eq(revenueShares.publisherId, ctx.actor.accountId))
    .groupBy(revenueShares.status);
  const of = (status: RevenueShareStatus) => toCents(Number(rows.find((row) => row.status === status)?.cents ?? 0));
  return { pending: of("pending"), paid: of("paid") };
}

/** The month of the publisher's first revenue share; undefined without one. */
export async function findFirstRevenueMonth(ctx: Ctx<PublisherActor>): Promise<CalendarMonth | undefined> {
  const [row] = await ctx.db
    .select({ first: min(revenueShares.createdAt) })
    .from(revenueShares)
    .where(eq(revenueShares.publisherId, ctx.actor.accountId));
  return row?.first ? calendarMonthOf(row.first) : undefined;
}
