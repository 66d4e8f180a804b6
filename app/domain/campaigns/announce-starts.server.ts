import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, campaigns, campaignVersions } from "#db/schema/index.ts";
import { addDays, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, JobActor } from "../context.ts";
import { tellAccounts } from "../notifications/tell-accounts.server.ts";
import { inTransaction } from "../transaction.server.ts";

const most = 200;

const startingRow = z.object({
  campaign_id: columnValue(campaigns.id),
  advertiser_id: columnValue(campaigns.advertiserId),
  told_id: columnValue(accounts.id),
  day: presentValue(campaignVersions.startDate),
});

/**
 * Tells both sides of the campaigns that begin tomorrow (UTC) with what was approved and is not paused: once for each first
 * day. Gives how many were told.
 */
export async function announceStarts(ctx: Ctx<JobActor>): Promise<number> {
  const tomorrow = addDays(calendarDateOf(ctx.clock()), 1);
  return inTransaction(ctx, async (tx) => {
    const starting = await queryRows(
      tx.db,
      startingRow,
      sql`
        select distinct campaign.id as campaign_id, campaign.advertiser_id, side.account_id as told_id, version.start_date::text as day
        from campaigns campaign
        join line_items item on item.campaign_id = campaign.id and item.status = 'active'
        join campaign_versions version on version.campaign_id = item.campaign_id and version.number = item.approved_version
        cross join lateral (values (campaign.advertiser_id), (item.publisher_id)) as side (account_id)
        where campaign.status = 'active' and campaign.runs_until >= ${tomorrow}::date and version.start_date = ${tomorrow}::date
          and not exists (select 1 from notifications told where told.account_id = side.account_id
            and told.event_key = 'start/' || campaign.id || '/' || version.start_date::text)
        limit ${most}`,
    );
    return tellAccounts(
      tx,
      starting.map(({ campaign_id: campaignId, advertiser_id: advertiserId, told_id: accountId, day }) => ({
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
