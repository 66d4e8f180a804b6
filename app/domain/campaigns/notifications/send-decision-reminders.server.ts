import { sql } from "drizzle-orm";
import { z } from "zod";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, lineItems } from "#db/schema/index.ts";

const maxResults = 200;
/** In milliseconds. */
const reminderDelayMs = 24 * 60 * 60 * 1000;

const waitingRow = z.object({
  id: columnValue(lineItems.id),
  version: columnValue(lineItems.sentVersion),
  campaign_id: columnValue(lineItems.campaignId),
  publisher_id: columnValue(lineItems.publisherId),
  advertiser_id: columnValue(campaigns.advertiserId),
});

/**
 * Reminds publishers of versions that have been pending for 24 hours, once per version. Versions whose flight is over
 * are skipped. Returns the number of reminders.
 */
export async function sendDecisionReminders(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  return inTransaction(ctx, async (tx) => {
    const pending = await queryRows(
      tx.db,
      waitingRow,
      sql`
        select item.id, item.sent_version as version, item.campaign_id, item.publisher_id, campaign.advertiser_id
        from line_items item join campaigns campaign on campaign.id = item.campaign_id
        join campaign_versions version on version.campaign_id = item.campaign_id and version.number = item.sent_version
        where item.approval_status = 'pending' and item.withdrawn_at is null and item.completed_at is null
          and item.sent_at <= ${new Date(now.getTime() - reminderDelayMs).toISOString()}::timestamptz and version.end_date >= ${calendarDateOf(now)}::date
          and not exists (select 1 from notifications notification where notification.account_id = item.publisher_id
            and notification.event_key = 'reminder/' || item.id || '/' || item.sent_version)
        order by item.sent_at limit ${maxResults}`,
    );
    return notifyAccounts(
      tx,
      pending.map(
        ({ id, version, campaign_id: campaignId, publisher_id: publisherId, advertiser_id: advertiserId }) => ({
          event: "decision_reminder",
          accountId: publisherId,
          key: `reminder/${id}/${version}`,
          subjectId: id,
          campaignId,
          advertiserId,
          publisherId,
          facts: { isChange: version > 1 ? true : undefined },
        }),
      ),
    );
  });
}
