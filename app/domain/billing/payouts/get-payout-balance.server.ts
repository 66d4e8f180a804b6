import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { balanceReturns, payouts, planOffsets, repayments, revenueShareDays } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { invariant } from "../../invariant.ts";
import { asCents } from "../../money.ts";
import { inSnapshot } from "../../transaction.server.ts";
import { findAutomaticPayoutDay } from "./find-automatic-payout-day.server.ts";
import { nextMonthlyPayout, openPayoutStatuses } from "./payout.ts";
import { isRepaymentWithoutPayout, releasedCents, sumAvailableEarnings } from "./unpaid-earnings.server.ts";

/**
 * Returns the publisher's earnings, in cents, as held, available, in transit, paid, and `netted` (offset against plan
 * payments); together these and what was `returned` after its account was closed, less what the publisher has `repaid`,
 * are `earned`. `next` is the payout on the first of next month from what is settled so far, without `keptForPlan`,
 * which stays in the balance for the next payment of a plan that is paid from earnings. All are of one moment.
 */
export async function getPayoutBalance(ctx: Ctx<PublisherActor>) {
  return inSnapshot(ctx, readPayoutBalance);
}

async function readPayoutBalance(ctx: Ctx<PublisherActor>) {
  const { accountId: publisherId } = ctx.actor;
  const month = nextMonthlyPayout(ctx.clock());
  const payoutDay = await findAutomaticPayoutDay(ctx, { publisherId, month });
  const [row] = await queryRows(ctx.db, balanceRow, sql`select * from ${balanceSums(ctx, payoutDay)}`);
  invariant(row, "sums of a balance have no row", { accountId: publisherId });
  const balance = toPayoutBalance(ctx, row);
  const amount = payoutDay ? balance.next.amount : asCents(Math.min(balance.next.amount, 0));
  const released = payoutDay === month ? amount : await sumAvailableEarnings(ctx, { publisherId, day: month });
  const keptForPlan = asCents(Math.max(0, released - Math.max(0, amount)));
  return { ...balance, next: { ...balance.next, amount, keptForPlan } };
}

export type PayoutBalance = Awaited<ReturnType<typeof getPayoutBalance>>;

const cents = z.coerce.number();

/** A row of `balanceSums`, in cents. */
export const balanceRow = z.object({
  unpaid: cents,
  released: cents,
  next: cents,
  in_transit: cents,
  paid: cents,
  netted: cents,
  netted_unpaid: cents,
  repaid: cents,
  repaid_unpaid: cents,
  returned: cents,
});

/**
 * The sums of which a balance is made, as one row: in one statement they are of one moment, in any transaction. `next`
 * is what is released on `payoutDay`.
 */
export function balanceSums(ctx: Ctx<PublisherActor>, payoutDay = nextMonthlyPayout(ctx.clock())): SQL {
  const { accountId } = ctx.actor;
  const now = ctx.clock();
  const open = sql.raw(openPayoutStatuses.map((status) => `'${status}'`).join(", "));
  return sql`
    (select coalesce(sum(${revenueShareDays.unpaidCents} + ${revenueShareDays.unpaidDeductionsCents}), 0) as unpaid,
        ${releasedCents(accountId, calendarDateOf(now))} as released, ${releasedCents(accountId, payoutDay)} as next
      from ${revenueShareDays} where ${revenueShareDays.publisherId} = ${accountId}) unpaid_shares
    cross join (select coalesce(sum(${payouts.amountCents}) filter (where ${payouts.status} in (${open})), 0) as in_transit,
        coalesce(sum(${payouts.amountCents}) filter (where ${payouts.status} = 'paid'), 0) as paid
      from ${payouts} where ${payouts.publisherId} = ${accountId}) sent
    cross join (select coalesce(sum(${planOffsets.amountCents}), 0) as netted,
        coalesce(sum(${planOffsets.amountCents}) filter (where ${planOffsets.payoutId} is null), 0) as netted_unpaid
      from ${planOffsets} where ${planOffsets.publisherId} = ${accountId}) offsets
    cross join (select coalesce(sum(${repayments.amountCents}), 0) as repaid,
        coalesce(sum(${repayments.amountCents}) filter (where ${isRepaymentWithoutPayout()}), 0) as repaid_unpaid
      from ${repayments} where ${repayments.publisherId} = ${accountId}) received
    cross join (select coalesce(sum(${balanceReturns.amountCents}), 0) as returned
      from ${balanceReturns} where ${balanceReturns.accountId} = ${accountId}) sent_back`;
}

/** Returns the balance of which these are the sums. */
export function toPayoutBalance(ctx: Ctx, row: z.output<typeof balanceRow>) {
  const adjustments = row.repaid_unpaid - row.netted_unpaid - row.returned;
  const [all, available] = [row.unpaid + adjustments, row.released + adjustments];
  return {
    earned: asCents(all + row.in_transit + row.paid + row.netted + row.returned - row.repaid),
    held: asCents(all - available),
    available: asCents(available),
    inTransit: asCents(row.in_transit),
    paid: asCents(row.paid),
    netted: asCents(row.netted),
    repaid: asCents(row.repaid),
    returned: asCents(row.returned),
    next: { date: nextMonthlyPayout(ctx.clock()), amount: asCents(row.next + adjustments) },
  };
}
