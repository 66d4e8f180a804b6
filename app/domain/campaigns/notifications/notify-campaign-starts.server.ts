import { sql } from "drizzle-orm";
import { z } from "zod";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, campaigns, campaignVersions } from "#db/schema/index.ts";

const startingRow = z.object({
  campaign_id: columnValue(campaigns.id),
  advertiser_id: columnValue(campaigns.advertiserId),
  account_id: columnValue(accounts.id),
  day: presentValue(campaignVersions.startDate),
});

/**
 * Notifies both sides of the campaigns that start tomorrow (UTC) with an approved, unpaused version: once per start
 * date. Reads the versions that start then, not all that run. Returns the number of notifications.
 */
export async function notifyCampaignStarts(ctx: Ctx<JobActor>, { batchSize = 200 } = {}): Promise<number> {
  let total = 0;
  for (;;) {
    const created = await notifyBatch(ctx, batchSize);
    total += created;
    // Fewer than a batch are also created when another process notifies of the rest.
    if (created < batchSize || ctx.stopping?.aborted) return total;
  }
}

async function notifyBatch(ctx: Ctx<JobActor>, batchSize: number): Promise<number> {
  const tomorrow = addDays(calendarDateOf(ctx.clock()), 1);
  return inTransaction(ctx, async (tx) => {
    const starting = await queryRows(
      tx.db,
      startingRow,
      sql`
        select distinct campaign.id as campaign_id, campaign.advertiser_id, side.account_id, version.start_date::text as day
        from (select campaign_id, number, start_date from campaign_versions where start_date = ${tomorrow}::date offset 0) version
        cross join lateral (select * from campaigns where id = version.campaign_id offset 0) campaign
        cross join lateral (
          select publisher_id from line_items where campaign_id = version.campaign_id and approved_version = version.number and status = 'active' offset 0
        ) item
        cross join lateral (values (campaign.advertiser_id), (item.publisher_id)) as side (account_id)
        where campaign.status = 'active' and campaign.runs_until >= ${tomorrow}::date
          and not exists (select 1 from notifications notification where notification.account_id = side.account_id
            and notification.event_key = 'start/' || campaign.id || '/' || version.start_date::text)
        limit ${batchSize}`,
    );
    return notifyAccounts(
      tx,
      starting.map(({ campaign_id: campaignId, advertiser_id: advertiserId, account_id: accountId, day }) => ({
        event: "campaign_starts_tomorrow",
        accountId,
        key: `start/${campaignId}/${day}`,
        subjectId: campaignId,
        campaignId,
        advertiserId,
        facts: { day },
      })),
    );
  });
}
