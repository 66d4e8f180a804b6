import { and, asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItems, nettedPlans, payoutLines, payouts, planChanges, revenueShares } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { PayoutId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import { newestFirst } from "../../newest-first.server.ts";
import type { PageRequest } from "../../page.ts";
import { plans } from "../plan.ts";

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
      lines: sqlValue(z.number(), sql`count(*)::int`),
      spend: sqlValue(z.string(), sql`coalesce(sum(${revenueShares.spendCents}), 0)::text`),
      fee: sqlValue(z.string(), sql`coalesce(sum(${revenueShares.feeCents}), 0)::text`),
    })
    .from(payoutLines)
    .leftJoin(revenueShares, eq(revenueShares.id, payoutLines.revenueShareId))
    .where(and(eq(payoutLines.payoutId, id), eq(payoutLines.publisherId, ctx.actor.accountId)));
  const { lines = 0, spend = "0", fee = "0" } = sums ?? {};
  return { ...inCents(row), lines, spend: toCents(Number(spend)), fee: toCents(Number(fee)) };
}

/** A payout's lines in their order, by campaign and day, then the plans that were paid from it, from after a number on. */
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
      planType: planChanges.planType,
      nettedAt: nettedPlans.createdAt,
    })
    .from(payoutLines)
    .leftJoin(revenueShares, eq(revenueShares.id, payoutLines.revenueShareId))
    .leftJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .leftJoin(nettedPlans, eq(nettedPlans.id, payoutLines.nettedPlanId))
    .leftJoin(planChanges, eq(planChanges.id, nettedPlans.planChangeId))
    .where(
      and(
        eq(payoutLines.payoutId, id),
        eq(payoutLines.publisherId, ctx.actor.accountId),
        gt(payoutLines.number, after),
      ),
    )
    .orderBy(asc(payoutLines.number))
    .limit(limit);
  return rows.map(
    ({ number, campaignName, settledThrough, spendCents, feeCents, amountCents, planType, nettedAt }) => ({
      number,
      campaignName: planType ? `${plans[planType].label} plan, paid from your earnings` : (campaignName ?? ""),
      settledThrough: settledThrough ?? calendarDateOf(nettedAt ?? ctx.clock()),
      spend: toCents(spendCents ?? 0),
      fee: toCents(feeCents ?? 0),
      earnings: toCents(amountCents),
    }),
  );
}

export type PayoutLine = Awaited<ReturnType<typeof listPayoutLines>>[number];

function inCents<Row extends { amountCents: number }>({ amountCents, ...row }: Row) {
  return { ...row, amount: toCents(amountCents) satisfies Cents };
}
