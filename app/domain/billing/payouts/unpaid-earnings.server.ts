import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
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

/**
 * The line items whose deductions exceed what was held before them on a day (UTC). Of the running total of a line
 * item's held shares by their settled day, `cents` is the lowest, which is negative, and `settled_through` its day.
 * What is settled after a deduction does not cover it, so that nothing is available now that the deduction takes back
 * later. Deductions are few and have an index.
 */
function overdrawnLineItems(publisherId: AccountId, day: CalendarDate): SQL {
  const isHeld = sql`share.payout_id is null and share.settled_through > ${releasedThrough(day)}::date`;
  return sql`
    (select deducted.line_item_id, lowest.settled_through, lowest.cents
    from (select distinct share.line_item_id from ${revenueShares} share where share.publisher_id = ${publisherId} and share.earnings_cents < 0 and ${isHeld}) deducted
    cross join lateral (
      select total.settled_through, total.cents from (
        select share.settled_through, sum(share.earnings_cents) over (order by share.settled_through) as cents
        from (select settled_through, earnings_cents, payout_id from ${revenueShares} where line_item_id = deducted.line_item_id offset 0) share where ${isHeld}
      ) total order by total.cents, total.settled_through limit 1
    ) lowest
    where lowest.cents < 0)`;
}

/**
 * The condition for revenue shares of the publisher that are released on a day (UTC): the hold of their settled day is
 * over, or their line item's deductions exceed what it has held, and they are released with these.
 */
export function releasedBy(publisherId: AccountId, day: CalendarDate): SQL {
  const withDeductions = sql`
    select share.id from ${overdrawnLineItems(publisherId, day)} overdrawn
    join ${revenueShares} share on share.line_item_id = overdrawn.line_item_id and share.settled_through <= overdrawn.settled_through`;
  return sql`(${lte(revenueShares.settledThrough, releasedThrough(day))} or ${revenueShares.id} in (${withDeductions}))`;
}

/** The sum of the same in the publisher's rows of revenueShareDays, in cents. */
export function releasedCents(publisherId: AccountId, day: CalendarDate): SQL {
  const { day: settledThrough, unpaidCents, unpaidDeductionsCents } = revenueShareDays;
  return sql`(coalesce(sum(${unpaidCents} + ${unpaidDeductionsCents}) filter (where ${settledThrough} <= ${releasedThrough(day)}::date), 0)
    + coalesce((select sum(cents) from ${overdrawnLineItems(publisherId, day)} overdrawn), 0))`;
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

/**
 * Returns what was sent back to the publisher after its account was closed, in cents. A closed account gets no payouts,
 * so returns are part of none.
 */
async function sumBalanceReturns(ctx: Ctx, publisherId: AccountId): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${balanceReturns.amountCents}), 0)::text`) })
    .from(balanceReturns)
    .where(eq(balanceReturns.accountId, publisherId));
  return asCents(Number(row?.cents ?? 0));
}

/**
 * Returns the balance available for a payout on a day (UTC), in cents: negative when deductions exceed the earnings
 * since.
 */
export async function sumAvailableEarnings(
  ctx: Ctx,
  { publisherId, day }: { publisherId: AccountId; day: CalendarDate },
): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`${releasedCents(publisherId, day)}::text`) })
    .from(revenueShareDays)
    .where(eq(revenueShareDays.publisherId, publisherId));
  const deducted = await sumOffsetsWithoutPayout(ctx, publisherId);
  const repaid = await sumRepaymentsWithoutPayout(ctx, publisherId);
  const returned = await sumBalanceReturns(ctx, publisherId);
  return asCents(Number(row?.cents ?? 0) - deducted + repaid - returned);
}
