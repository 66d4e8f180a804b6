import { sql } from "drizzle-orm";
import { z } from "zod";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, lineItems } from "#db/schema/index.ts";

/** The line items of one transaction, and the transactions of one run. The rest waits for the next run. */
const batchSize = 200;
const maxBatches = 10;
/** In milliseconds. */
const reminderDelayMs = 24 * 60 * 60 * 1000;

const waitingRow = z.object({
  id: columnValue(lineItems.id),
  version: columnValue(lineItems.sentVersion),
  campaign_id: columnValue(lineItems.campaignId),
  publisher_id: columnValue(lineItems.publisherId),
  advertiser_id: columnValue(campaigns.advertiserId),
  is_change: z.boolean(),
  is_over: z.boolean(),
});

/**
 * Reminds publishers of versions that have been pending for 24 hours, once per version. Versions whose flight is over
 * are skipped. Line items are marked either way, so that a run reads none of those before. Returns the number of
 * reminders.
 */
export async function sendDecisionReminders(ctx: Ctx<JobActor>): Promise<number> {
  let reminders = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const { marked, reminded } = await remindBatch(ctx);
    reminders += reminded;
    if (marked < batchSize || ctx.stopping?.aborted) break;
  }
  return reminders;
}

async function remindBatch(ctx: Ctx<JobActor>): Promise<{ marked: number; reminded: number }> {
  const now = ctx.clock();
  return inTransaction(ctx, async (tx) => {
    // What a review or a report has locked waits for the next run.
    const marked = await queryRows(
      tx.db,
      waitingRow,
      sql`
        with due as materialized (
          select id from line_items
          where approval_status = 'pending' and withdrawn_at is null and completed_at is null and reminded_version is distinct from sent_version
            and sent_at <= ${new Date(now.getTime() - reminderDelayMs).toISOString()}::timestamptz
          order by sent_at limit ${batchSize} for no key update skip locked
        ), marked as (
          update line_items item set reminded_version = item.sent_version where id = any(array(select id from due))
          returning item.id, item.sent_version as version, item.campaign_id, item.publisher_id,
            item.approved_version is not null as is_change
        )
        select marked.*, campaign.advertiser_id, version.end_date < ${calendarDateOf(now)}::date as is_over
        from marked cross join lateral (select advertiser_id from campaigns where id = marked.campaign_id offset 0) campaign
        cross join lateral (select end_date from campaign_versions where campaign_id = marked.campaign_id and number = marked.version offset 0) version`,
    );
    const pending = marked.filter(({ is_over: isOver }) => !isOver);
    const reminded = await notifyAccounts(
      tx,
      pending.map(
        ({
          id,
          version,
          campaign_id: campaignId,
          publisher_id: publisherId,
          advertiser_id: advertiserId,
          is_change: isChange,
        }) => ({
          event: "decision_reminder",
          accountId: publisherId,
          key: `reminder/${id}/${version}`,
          subjectId: id,
          campaignId,
          advertiserId,
          publisherId,
          facts: { isChange: isChange ? true : undefined },
        }),
      ),
    );
    return { marked: marked.length, reminded };
  });
}
