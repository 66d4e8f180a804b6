import { and, eq, min, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItems, revenueShareDays, revenueShares } from "#db/schema/index.ts";
import { type CalendarMonth, calendarMonthOf } from "../calendar-month.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { asCents, type Cents } from "../money.ts";
import type { PageRequest } from "../page.ts";
import { type SortOrder, sortedPage, type TimeOrder } from "../sorted-page.server.ts";
import type { RevenueShareSort, RevenueShareStatus } from "./revenue-share.ts";
import { withinMonth } from "./within-month.server.ts";

export type RevenueShareFilters = { status?: RevenueShareStatus; month?: CalendarMonth };

const orders: Record<RevenueShareSort, SortOrder | TimeOrder> = {
  newest: "newest",
  oldest: "oldest",
  spend: { by: sql`${revenueShares.spendCents}`, type: "bigint", descending: true },
  fee: { by: sql`${revenueShares.feeCents}`, type: "bigint", descending: true },
  earnings: { by: sql`${revenueShares.earningsCents}`, type: "bigint", descending: true },
};

/**
 * Lists the publisher's revenue shares, newest first by default, one per settlement of a line item. In cents; spend =
 * earnings + fee.
 */
export async function listRevenueShares(
  ctx: Ctx<PublisherActor>,
  input: PageRequest & RevenueShareFilters & { sort?: RevenueShareSort },
) {
  const keyset = sortedPage(input, { order: orders[input.sort ?? "newest"], id: revenueShares.id });
  const rows = await ctx.db
    .select({
      id: revenueShares.id,
      campaignName: lineItems.campaignName,
      spendCents: revenueShares.spendCents,
      earningsCents: revenueShares.earningsCents,
      feeCents: revenueShares.feeCents,
      status: revenueShares.status,
      adjustsMonth: revenueShares.adjustsMonth,
      createdAt: revenueShares.createdAt,
      sortValue: keyset.sortValue,
    })
    .from(revenueShares)
    .innerJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .where(
      and(
        eq(revenueShares.publisherId, ctx.actor.accountId),
        input.status && eq(revenueShares.status, input.status),
        withinMonth(revenueShares.createdAt, input.month),
        keyset.where,
      ),
    )
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ spendCents, earningsCents, feeCents, sortValue: _, ...row }) => ({
      ...row,
      spend: asCents(spendCents),
      earnings: asCents(earningsCents),
      fee: asCents(feeCents),
    })),
  };
}

export type RevenueShare = Awaited<ReturnType<typeof listRevenueShares>>["rows"][number];

/** Returns the publisher's total earnings, in cents: the sum of all its revenue shares. */
export async function sumEarnings(ctx: Ctx<PublisherActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({
      cents: sqlValue(
        z.string(),
        sql`coalesce(sum(${revenueShareDays.settledCents} + ${revenueShareDays.refundedCents}), 0)::text`,
      ),
    })
    .from(revenueShareDays)
    .where(eq(revenueShareDays.publisherId, ctx.actor.accountId));
  return asCents(Number(row?.cents ?? 0));
}

/** Returns the month of the publisher's first revenue share; undefined without one. */
export async function findFirstRevenueMonth(ctx: Ctx<PublisherActor>): Promise<CalendarMonth | undefined> {
  const [row] = await ctx.db
    .select({ first: min(revenueShares.createdAt) })
    .from(revenueShares)
    .where(eq(revenueShares.publisherId, ctx.actor.accountId));
  return row?.first ? calendarMonthOf(row.first) : undefined;
}
