import { and, asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { type SortOrder, sortedPage, type TimeOrder } from "#app/domain/sorted-page.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import {
  lineItems,
  payoutLines,
  payouts,
  planChanges,
  planOffsets,
  repayments,
  revenueShares,
} from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { PayoutId } from "../../ids.ts";
import { asCents, type Cents } from "../../money.ts";
import type { PageRequest } from "../../page.ts";
import { plans } from "../plan.ts";
import { type PayoutSort, repaymentDescription, repaymentReversalDescription } from "./payout.ts";

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

/** A publisher has few payouts, so only the order of time has an index. One that did not arrive is last. */
const orders: Record<PayoutSort, SortOrder | TimeOrder> = {
  newest: "newest",
  oldest: "oldest",
  arrived: {
    by: sql`coalesce((extract(epoch from ${payouts.endedAt}) * 1000)::bigint * (${payouts.status} = 'paid')::int, 0)`,
    type: "bigint",
    descending: true,
  },
  amount: { by: sql`${payouts.amountCents}`, type: "bigint", descending: true },
};

/** Lists the publisher's payouts, newest first by default. */
export async function listPayouts(ctx: Ctx<PublisherActor>, input: PageRequest & { sort?: PayoutSort }) {
  const keyset = sortedPage(input, { order: orders[input.sort ?? "newest"], id: payouts.id });
  const rows = await ctx.db
    .select({ ...columns, sortValue: keyset.sortValue })
    .from(payouts)
    .where(and(eq(payouts.publisherId, ctx.actor.accountId), keyset.where))
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(({ sortValue: _, ...row }) => withAmount(row)) };
}

export type Payout = Awaited<ReturnType<typeof listPayouts>>["rows"][number];

/** Reads one of the publisher's payouts, with the totals of its lines. Throws `not_found`. */
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
  return { ...withAmount(row), lines, spend: asCents(Number(spend)), fee: asCents(Number(fee)) };
}

/**
 * Lists the lines of a payout whose number is greater than `after`, in order: revenue shares by campaign and day, then
 * the plans that were offset against them, then repayments.
 */
export async function listPayoutLines(
  ctx: Ctx<PublisherActor>,
  { id, after = 0, limit = 500 }: { id: PayoutId; after?: number; limit?: number },
) {
  const rows = await ctx.db
    .select({
      number: payoutLines.number,
      campaignName: lineItems.campaignName,
      settledThrough: revenueShares.settledThrough,
      adjustsMonth: revenueShares.adjustsMonth,
      spendCents: revenueShares.spendCents,
      feeCents: revenueShares.feeCents,
      amountCents: payoutLines.amountCents,
      planType: planChanges.planType,
      nettedAt: planOffsets.createdAt,
      repaidAt: repayments.createdAt,
    })
    .from(payoutLines)
    .leftJoin(revenueShares, eq(revenueShares.id, payoutLines.revenueShareId))
    .leftJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .leftJoin(planOffsets, eq(planOffsets.id, payoutLines.planOffsetId))
    .leftJoin(repayments, eq(repayments.id, payoutLines.repaymentId))
    .leftJoin(planChanges, eq(planChanges.id, planOffsets.planChangeId))
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
    ({
      number,
      campaignName,
      settledThrough,
      adjustsMonth,
      spendCents,
      feeCents,
      amountCents,
      planType,
      nettedAt,
      repaidAt,
    }) => ({
      number,
      campaignName: planType
        ? `${plans[planType].label} plan, paid from earnings`
        : repaidAt
          ? amountCents < 0
            ? repaymentReversalDescription
            : repaymentDescription
          : (campaignName ?? ""),
      settledThrough: settledThrough ?? calendarDateOf(nettedAt ?? repaidAt ?? ctx.clock()),
      adjustsMonth,
      spend: asCents(spendCents ?? 0),
      fee: asCents(feeCents ?? 0),
      earnings: asCents(amountCents),
    }),
  );
}

export type PayoutLine = Awaited<ReturnType<typeof listPayoutLines>>[number];

function withAmount<Row extends { amountCents: number }>({ amountCents, ...row }: Row) {
  return { ...row, amount: asCents(amountCents) satisfies Cents };
}
