import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import {
  balanceReturns,
  payoutLines,
  payouts,
  planOffsets,
  repayments,
  revenueShareDays,
  revenueShares,
} from "#db/schema/index.ts";
import { releasedThrough } from "./payout.ts";

/** The condition for the publisher's revenue shares that are in no payout. */
export function sharesWithoutPayout(publisherId: AccountId): SQL | undefined {
  return and(eq(revenueShares.publisherId, publisherId), isNull(revenueShares.payoutId));
}

/** The condition for revenue shares that are released on a day (UTC). Negative shares count at once. */
export function releasedBy(day: CalendarDate): SQL {
  const released = or(lte(revenueShares.settledThrough, releasedThrough(day)), sql`${revenueShares.earningsCents} < 0`);
  return released ?? sql`false`;
}

/** The sum of the same in rows of revenueShareDays, in cents. */
export function releasedCents(day: CalendarDate): SQL {
  const { day: settledThrough, unpaidCents, unpaidDeductionsCents } = revenueShareDays;
  const released = sql`filter (where ${settledThrough} <= ${releasedThrough(day)}::date)`;
  return sql`(coalesce(sum(${unpaidCents}) ${released}, 0) + coalesce(sum(${unpaidDeductionsCents}), 0))`;
}

/** The condition for the publisher's plan offsets that are in no payout. */
export function offsetsWithoutPayout(publisherId: AccountId): SQL | undefined {
  return and(eq(planOffsets.publisherId, publisherId), isNull(planOffsets.payoutId));
}

/** Returns the total of the publisher's plan offsets that are in no payout, in cents. */
async function sumOffsetsWithoutPayout(ctx: Ctx, publisherId: AccountId): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${planOffsets.amountCents}), 0)::text`) })
    .from(planOffsets)
    .where(offsetsWithoutPayout(publisherId));
  return asCents(Number(row?.cents ?? 0));
}

/** The condition for repayments that are in no payout but failed ones. */
export function isRepaymentWithoutPayout(): SQL {
  return sql`not exists (select from ${payoutLines} join ${payouts} on ${payouts.id} = ${payoutLines.payoutId}
    where ${payoutLines.repaymentId} = ${repayments.id} and ${payouts.status} <> 'failed' offset 0)`;
}

/** The condition for the publisher's repayments that are in no payout. */
export function repaymentsWithoutPayout(publisherId: AccountId): SQL | undefined {
  return and(eq(repayments.publisherId, publisherId), isRepaymentWithoutPayout());
}

/** Returns the total of the publisher's repayments that are in no payout, in cents. */
async function sumRepaymentsWithoutPayout(ctx: Ctx, publisherId: AccountId): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${repayments.amountCents}), 0)::text`) })
    .from(repayments)
    .where(repaymentsWithoutPayout(publisherId));
  return asCents(Number(row?.cents ?? 0));
}

/** Returns what was sent back to the publisher after its account was closed, in cents. A closed account gets no payouts, so returns are part of none. */
async function sumBalanceReturns(ctx: Ctx, publisherId: AccountId): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${balanceReturns.amountCents}), 0)::text`) })
    .from(balanceReturns)
    .where(eq(balanceReturns.accountId, publisherId));
  return asCents(Number(row?.cents ?? 0));
}

/**
 * Returns the balance available for a payout on a day (UTC), in cents: negative when reversals exceed the earnings
 * since.
 */
export async function sumAvailableEarnings(
  ctx: Ctx,
  { publisherId, day }: { publisherId: AccountId; day: CalendarDate },
): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`${releasedCents(day)}::text`) })
    .from(revenueShareDays)
    .where(eq(revenueShareDays.publisherId, publisherId));
  const deducted = await sumOffsetsWithoutPayout(ctx, publisherId);
  const repaid = await sumRepaymentsWithoutPayout(ctx, publisherId);
  const returned = await sumBalanceReturns(ctx, publisherId);
  return asCents(Number(row?.cents ?? 0) - deducted + repaid - returned);
}
