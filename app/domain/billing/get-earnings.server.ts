import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { lineItemCounts, revenueShareDays } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { invariant } from "../invariant.ts";
import { asCents } from "../money.ts";
import { balanceRow, balanceSums, toPayoutBalance } from "./payouts/get-payout-balance.server.ts";

const earningsRow = balanceRow.extend({
  commission: z.coerce.number(),
  settled: z.coerce.number(),
  refunds: z.coerce.number(),
});

/**
 * Returns the publisher's earnings under the words of money-words.ts, in cents: commission earned = total earnings +
 * not settled + refunded, and total earnings = pending + available + in transit + paid + applied to the plan − repaid.
 * All are read in one statement, so that these sums hold while a settlement or a payout commits.
 */
export async function getEarnings(ctx: Ctx<PublisherActor>) {
  const { accountId } = ctx.actor;
  const [row] = await queryRows(
    ctx.db,
    earningsRow,
    sql`
      select * from ${balanceSums(ctx)}
      cross join (select coalesce(sum(${lineItemCounts.commissionCents}), 0) as commission
        from ${lineItemCounts} where ${lineItemCounts.publisherId} = ${accountId}) delivered
      cross join (select coalesce(sum(${revenueShareDays.settledCents}), 0) as settled, coalesce(sum(${revenueShareDays.refundedCents}), 0) as refunds
        from ${revenueShareDays} where ${revenueShareDays.publisherId} = ${accountId}) shares`,
  );
  invariant(row, "sums of earnings have no row", { accountId });
  const balance = toPayoutBalance(ctx, row);
  return {
    commissionEarned: asCents(row.commission),
    notSettled: asCents(row.commission - row.settled),
    refunded: asCents(-row.refunds || 0),
    totalEarnings: balance.earned,
    pending: balance.held,
    available: balance.available,
    inTransit: balance.inTransit,
    paid: balance.paid,
    appliedToPlan: balance.netted,
    repaid: balance.repaid,
  };
}

export type Earnings = Awaited<ReturnType<typeof getEarnings>>;
