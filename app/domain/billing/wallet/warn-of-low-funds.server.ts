import { sql } from "drizzle-orm";
import { z } from "zod";
import { nilId } from "#app/domain/ids.ts";
import { type NotificationInput, notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts } from "#db/schema/index.ts";
import { addDays, calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { centsToDollars, microsToCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { fundsLeft, hasFunds, projectedLastDay } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/** The number of accounts in one batch. */
const batchSize = 500;

const spendingRow = z.object({ id: columnValue(accounts.id), funding: z.string(), micros: z.string() });
type Spending = z.output<typeof spendingRow>;

/**
 * Notifies advertisers with running campaigns that their funds run out within a week at the pace of the last seven full
 * days, once per funding (a payment, or a changed credit limit). Advertisers without funds are notified when delivery
 * is put on hold. Returns how many were notified.
 */
export async function warnOfLowFunds(ctx: Ctx<JobActor>): Promise<number> {
  let warned = 0;
  for (let after: string = nilId; ; ) {
    const spending = await listSpending(ctx, after);
    warned += await inTransaction(ctx, async (tx) => notifyAccounts(tx, await lowFundsNotifications(tx, spending)));
    const last = spending.at(-1);
    if (!last || spending.length < batchSize || ctx.stopping?.aborted) return warned;
    after = last.id;
  }
}

/**
 * Lists the spend of the last seven days and the key of the last funding; advertisers that were warned since are left
 * out.
 */
async function listSpending(ctx: Ctx<JobActor>, after: string): Promise<Spending[]> {
  const today = calendarDateOf(ctx.clock());
  return queryRows(
    ctx.db,
    spendingRow,
    sql`
      select account.id, spent.micros::text as micros, funded.funding from accounts account
      cross join lateral (select sum(day.spend_micros) as micros from account_days day
        where day.account_id = account.id and day.day between ${addDays(today, -7)}::date and ${addDays(today, -1)}::date) spent
      cross join lateral (select 'funds/' || account.credit_limit_cents || '/' || coalesce((select top_up.id::text from top_ups top_up
        where top_up.account_id = account.id and top_up.status = 'succeeded' order by top_up.id desc limit 1), 'none') as funding) funded
      where account.id > ${after}::uuid and account.type = 'advertiser' and spent.micros > 0
        and exists (select 1 from campaign_counts running where running.advertiser_id = account.id and running.status = 'active' and running.campaigns > 0)
        and not exists (select 1 from notifications notification where notification.account_id = account.id and notification.event_key = funded.funding)
      order by account.id limit ${batchSize}`,
  );
}

async function lowFundsNotifications(ctx: Ctx<JobActor>, spending: readonly Spending[]): Promise<NotificationInput[]> {
  const funds = await readFunds(
    ctx,
    spending.map(({ id }) => id),
  );
  const today = calendarDateOf(ctx.clock());
  return spending.flatMap(({ id, micros, funding }): NotificationInput[] => {
    const advertiserFunds = funds.get(id);
    if (!advertiserFunds || !hasFunds(advertiserFunds)) return [];
    const left = fundsLeft(advertiserFunds);
    const day = projectedLastDay({ left, lastWeek: microsToCents(BigInt(micros)) }, today);
    if (!day) return [];
    return [
      { event: "wallet_low", accountId: id, key: funding, subjectId: id, facts: { amount: centsToDollars(left), day } },
    ];
  });
}
