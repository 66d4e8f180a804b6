import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { revenueShareDays } from "#db/schema/index.ts";
import { addDays, type CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { readEarningsForPlan } from "../subscription/read-earnings-for-plan.server.ts";
import { holdDays, releasedThrough } from "./payout.ts";
import { sumAvailableEarnings } from "./unpaid-earnings.server.ts";

const dayRow = z.object({ day: columnValue(revenueShareDays.day) });

/**
 * Returns the day (UTC) as of which the automatic payout of a month pays released earnings: the first of the month, and
 * an earlier one for a publisher that pays its plan from earnings, so that the newest days' earnings, which stay in the
 * balance, cover the next payment. Undefined when all earnings stay for it.
 */
export async function findAutomaticPayoutDay(
  ctx: Ctx,
  { publisherId, month }: { publisherId: AccountId; month: CalendarDate },
): Promise<CalendarDate | undefined> {
  const forPlan = await readEarningsForPlan(ctx, publisherId);
  if (forPlan === 0) return month;
  const { day, unpaidCents } = revenueShareDays;
  const rows = await queryRows(
    ctx.db,
    dayRow,
    sql`
      select day from (select ${day} as day, sum(${unpaidCents}) over (order by ${day} desc) as cents from ${revenueShareDays}
        where ${revenueShareDays.publisherId} = ${publisherId} and ${day} <= ${releasedThrough(month)}::date and ${unpaidCents} > 0) newest
      where cents >= ${forPlan} order by day desc`,
  );
  const available = await sumAvailableEarnings(ctx, { publisherId, day: month });
  // As of this day the earnings of the day before the first that is left are the last that are released.
  const payoutDays = rows.map(({ day: firstLeft }) => addDays(firstLeft, holdDays));
  const leavesEnough = async (payoutDay: CalendarDate) =>
    available - (await sumAvailableEarnings(ctx, { publisherId, day: payoutDay })) >= forPlan;
  // Only deductions make the newest day leave too little. The older the day, the more is left.
  let [first, end] = [0, payoutDays.length];
  for (let at = 0; first < end; at = Math.floor((first + end) / 2)) {
    const payoutDay = payoutDays[at];
    if (payoutDay && (await leavesEnough(payoutDay))) end = at;
    else first = at + 1;
  }
  return payoutDays[first];
}
