import { and, asc, eq, gt, sql } from "drizzle-orm";
import { lineItems, payoutLines, payouts, revenueShares } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { PayoutId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import { newestFirst } from "../../newest-first.server.ts";
import type { PageRequest } from "../../page.ts";

const columns = {
  id: payouts.id,
  status: payouts.status,
  amountCents: payouts.amountCents,
  bank: payouts.bank,
  lastFour: payouts.lastFour,
  scheduledFor: payouts.scheduledFor,
  failure: payouts.failure,
  createdAt: payouts.createdAt,
  endedAt: payouts.endedAt,
  returnedAt: payouts.returnedAt,
};

/** The publisher's payouts, newest first. */
export async function listPayouts(ctx: Ctx<PublisherActor>, input: PageRequest) {
  const newest = newestFirst(input, payouts.id);
  const rows = await ctx.db
    .select(columns)
    .from(payouts)
    .where(and(eq(payouts.publisherId, ctx.actor.accountId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map(inCents) };
}

export type Payout = Awaited<ReturnType<typeof listPayouts>>["rows"][number];

/** One of the publisher's payouts, with the sums of its lines. Throws `not_found`. */
export async function getPayout(ctx: Ctx<PublisherActor>, id: PayoutId) {
  const [row] = await ctx.db
    .select(columns)
    .from(payouts)
    .where(and(eq(payouts.id, id), eq(payouts.publisherId, ctx.actor.accountId)));
  if (!row) throw notFound("Payout");
  const [sums] = await ctx.db
    .select({
      lines: sql<number>`count(*)::int`,
      spend: sql<string>`coalesce(sum(${revenueShares.spendCents}), 0)::text`,
      fee: sql<string>`coalesce(sum(${revenueShares.feeCents}), 0)::text`,
    })
    .from(payoutLines)
    .innerJoin(revenueShares, eq(revenueShares.id, payoutLines.revenueShareId))
    .where(and(eq(payoutLines.payoutId, id), eq(payoutLines.publisherId, ctx.actor.accountId)));
  const { lines = 0, spend = "0", fee = "0" } = sums ?? {};
  return { ...inCents(row), lines, spend: toCents(Number(spend)), fee: toCents(Number(fee)) };
}

/** A payout's lines in their order, by campaign and day, from after a number on. */
export async function listPayoutLines(
  ctx: Ctx<PublisherActor>,
  { id, after = 0, limit = 500 }: { id: PayoutId; after?: number; limit?: number },
) {
  const rows = await ctx.db
    .select({
      number: payoutLines.number,
      campaignName: lineItems.campaignName,
      settledThrough: revenueShares.settledThrough,
      spendCents: revenueShares.spendCents,
      feeCents: revenueShares.feeCents,
      amountCents: payoutLines.amountCents,
    })
    .from(payoutLines)
    .innerJoin(revenueShares, eq(revenueShares.id, payoutLines.revenueShareId))
    .innerJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .where(
      and(
        eq(payoutLines.payoutId, id),
        eq(payoutLines.publisherId, ctx.actor.accountId),
        gt(payoutLines.number, after),
      ),
    )
    .orderBy(asc(payoutLines.number))
    .limit(limit);
  return rows.map(({ spendCents, feeCents, amountCents, ...row }) => ({
    ...row,
    spend: toCents(spendCents),
    fee: toCents(feeCents),
    earnings: toCents(amountCents),
  }));
}

export type PayoutLine = Awaited<ReturnType<typeof listPayoutLines>>[number];

function inCents<Row extends { amountCents: number }>({ amountCents, ...row }: Row) {
  return { ...row, amount: toCents(amountCents) satisfies Cents };
}
