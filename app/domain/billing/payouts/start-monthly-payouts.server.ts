import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import { findPayoutProviderName } from "#app/domain/payments/active-payout-provider.server.ts";
import { accounts, payoutAccounts, payoutRuns, payouts } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import { calendarMonthOf, firstDayOf } from "../../calendar-month.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { forEachAccount } from "../../for-each-account.ts";
import type { AccountId } from "../../ids.ts";
import { readInParts } from "../../read-in-parts.ts";
import { inLongTransaction, inSavepoint } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { findAutomaticPayoutDay } from "./find-automatic-payout-day.server.ts";
import { startPayout } from "./start-payout.server.ts";

/** The number of publishers that are read at once. */
const batchSize = 200;

/**
 * Starts the monthly payouts on the first of a month (UTC), or as soon after as a process runs: for every publisher
 * that has the minimum available as of that day, beyond what the next payment of a plan paid from earnings needs, and
 * no payout in progress. The earnings of suspended publishers stay in their balances. Each publisher gets one payout a
 * month, also when an interrupted run is resumed. One whose payout fails keeps no other from theirs and is tried again
 * in the next run. Without a payout provider nothing is started, and the month waits for one. Returns how many were
 * started.
 */
export async function startMonthlyPayouts(ctx: Ctx<JobActor>): Promise<number> {
  if (!findPayoutProviderName()) return 0;
  const month = firstDayOf(calendarMonthOf(ctx.clock()));
  const [done] = await ctx.db.select().from(payoutRuns).where(eq(payoutRuns.month, month));
  if (done) return 0;
  const due = readInParts<AccountId>((after) => listDue(ctx, { month, after }));
  const started = await forEachAccount(ctx, due, (publisherId) => startOne(ctx, { publisherId, month }));
  // The next process continues.
  if (ctx.stopping?.aborted) return started;
  await ctx.db.insert(payoutRuns).values({ month, ranAt: ctx.clock() }).onConflictDoNothing();
  return started;
}

async function listDue(
  ctx: Ctx<JobActor>,
  { month, after }: { month: CalendarDate; after: AccountId | undefined },
): Promise<AccountId[]> {
  const hasPayout = sql`exists (select from ${payouts} where ${payouts.publisherId} = ${payoutAccounts.publisherId} and ${payouts.scheduledFor} = ${month}::date)`;
  const rows = await ctx.db
    .select({ id: payoutAccounts.publisherId })
    .from(payoutAccounts)
    .innerJoin(accounts, eq(accounts.id, payoutAccounts.publisherId))
    .where(and(after && gt(payoutAccounts.publisherId, after), ne(accounts.status, "suspended"), sql`not ${hasPayout}`))
    .orderBy(asc(payoutAccounts.publisherId))
    .limit(batchSize);
  return rows.map(({ id }) => id);
}

/**
 * Starts one publisher's payout. Returns false for a publisher below the minimum, whose earnings all stay for its plan,
 * or with a payout in progress, which waits for the next month.
 */
async function startOne(
  ctx: Ctx<JobActor>,
  { publisherId, month }: { publisherId: AccountId; month: CalendarDate },
): Promise<boolean> {
  try {
    return await inSavepoint(ctx, (own) =>
      inLongTransaction(own, async (tx) => {
        // Before the day is chosen, so that no plan payment uses the earnings that it leaves.
        await lockLedgerAccounts(tx, [{ account: "publisher_payable", ownerId: publisherId }]);
        const day = await findAutomaticPayoutDay(tx, { publisherId, month });
        if (day) await startPayout(tx, { publisherId, day, scheduledFor: month });
        return day !== undefined;
      }),
    );
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
