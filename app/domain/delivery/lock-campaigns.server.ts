import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, presentValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, lineItemRuns, lineItems, versionAudiences } from "#db/schema/index.ts";
import { calendarDateSchema } from "../calendar-date.ts";
import type { CampaignStatus } from "../campaigns/campaign.ts";
import type { Ctx } from "../context.ts";
import type { AccountId, AudienceId, CampaignId, LineItemId } from "../ids.ts";
import { asCents } from "../money.ts";
import type { LineItemHistory, LineItemRun, SentVersion } from "./flight-day.ts";

/** A campaign with everything that determines what it could deliver and when. */
export type LockedCampaign = {
  id: CampaignId;
  advertiserId: AccountId;
  status: CampaignStatus;
  spentMicros: number;
  lineItems: LineItemHistory[];
  /** In the order of sending. */
  versions: Map<number, SentVersion>;
  /** The line item that an audience belongs to. */
  lineItemOf: Map<AudienceId, LineItemHistory>;
};

const campaignRow = z.object({
  id: columnValue(campaigns.id),
  advertiser_id: columnValue(campaigns.advertiserId),
  status: columnValue(campaigns.status),
  spent: z.string(),
});
const versionRow = z.object({
  campaign_id: columnValue(campaignVersions.campaignId),
  number: columnValue(campaignVersions.number),
  start_date: presentValue(campaignVersions.startDate),
  end_date: presentValue(campaignVersions.endDate),
  total: z.string(),
  daily: z.string(),
  channels: columnValue(campaignVersions.channels),
  creative_ids: columnValue(campaignVersions.creativeIds),
  sent_on: calendarDateSchema,
});
const chosenRow = z.object({
  campaign_id: columnValue(versionAudiences.campaignId),
  version: columnValue(versionAudiences.version),
  audience_id: columnValue(versionAudiences.audienceId),
  publisher_id: columnValue(versionAudiences.publisherId),
});
const lineItemRow = z.object({
  id: columnValue(lineItems.id),
  campaign_id: columnValue(lineItems.campaignId),
  publisher_id: columnValue(lineItems.publisherId),
  status: columnValue(lineItems.status),
  approved_version: columnValue(lineItems.approvedVersion),
  approval_status: columnValue(lineItems.approvalStatus),
  sent_version: columnValue(lineItems.sentVersion),
});
const runRow = z.object({
  line_item_id: columnValue(lineItemRuns.lineItemId),
  version: columnValue(lineItemRuns.version),
  from: calendarDateSchema,
  to: calendarDateSchema.nullable(),
});

/**
 * Locks the campaigns, in the order of their IDs to prevent deadlocks, and reads their history. Five statements,
 * regardless of the number of campaigns.
 */
export async function lockCampaigns(ctx: Ctx, ids: Iterable<CampaignId>): Promise<Map<CampaignId, LockedCampaign>> {
  const idList = pgArray(new Set(ids));
  const rows = await queryRows(
    ctx.db,
    campaignRow,
    sql`select id, advertiser_id, status, spend_micros::text as spent from campaigns where id = any(${idList}::uuid[]) order by id for no key update`,
  );
  const campaigns = new Map<CampaignId, LockedCampaign>();
  for (const { id, advertiser_id: advertiserId, status, spent } of rows) {
    const nothing = { lineItems: [], versions: new Map(), lineItemOf: new Map() };
    campaigns.set(id, { id, advertiserId, status, spentMicros: Number(spent), ...nothing });
  }
  await readVersions(ctx, campaigns);
  await readLineItems(ctx, campaigns);
  return campaigns;
}

async function readVersions(ctx: Ctx, campaigns: Map<CampaignId, LockedCampaign>): Promise<void> {
  const ids = pgArray(campaigns.keys());
  const [versions, versionAudienceRows] = await Promise.all([
    queryRows(
      ctx.db,
      versionRow,
      sql`
        select campaign_id, number, start_date::text, end_date::text, total_budget_cents::text as total, daily_budget_cents::text as daily,
          channels, creative_ids, (sent_at at time zone 'UTC')::date::text as sent_on
        from campaign_versions where campaign_id = any(${ids}::uuid[]) order by campaign_id, number`,
    ),
    queryRows(
      ctx.db,
      chosenRow,
      sql`select campaign_id, version, audience_id, publisher_id from version_audiences where campaign_id = any(${ids}::uuid[])`,
    ),
  ]);
  const audiences = new Map<string, Map<AudienceId, AccountId>>();
  for (const row of versionAudienceRows) {
    const key = `${row.campaign_id} ${row.version}`;
    const known = audiences.get(key) ?? new Map<AudienceId, AccountId>();
    audiences.set(key, known.set(row.audience_id, row.publisher_id));
  }
  for (const row of versions) {
    campaigns.get(row.campaign_id)?.versions.set(row.number, {
      number: row.number,
      sentOn: row.sent_on,
      startDate: row.start_date,
      endDate: row.end_date,
      totalBudgetCents: asCents(Number(row.total)),
      dailyBudgetCents: asCents(Number(row.daily)),
      channels: new Set(row.channels),
      creatives: new Set(row.creative_ids),
      audiences: audiences.get(`${row.campaign_id} ${row.number}`) ?? new Map(),
    });
  }
}

async function readLineItems(ctx: Ctx, campaigns: Map<CampaignId, LockedCampaign>): Promise<void> {
  const ids = pgArray(campaigns.keys());
  const [items, runs] = await Promise.all([
    queryRows(
      ctx.db,
      lineItemRow,
      sql`select id, campaign_id, publisher_id, status, approval_status, approved_version, sent_version from line_items where campaign_id = any(${ids}::uuid[]) order by id`,
    ),
    // A run that ends at midnight does not reach the next day.
    queryRows(
      ctx.db,
      runRow,
      sql`
        select line_item_id, version, (started_at at time zone 'UTC')::date::text as "from",
          ((ended_at - interval '1 ms') at time zone 'UTC')::date::text as "to"
        from line_item_runs where campaign_id = any(${ids}::uuid[]) order by line_item_id, started_at`,
    ),
  ]);
  const runsOf = new Map<LineItemId, LineItemRun[]>();
  for (const { line_item_id: id, version, from, to } of runs) {
    runsOf.set(id, [...(runsOf.get(id) ?? []), { version, from, to }]);
  }
  for (const row of items) {
    const campaign = campaigns.get(row.campaign_id);
    const item = {
      id: row.id,
      campaignId: row.campaign_id,
      publisherId: row.publisher_id,
      status: row.status,
      approvedVersion: row.approved_version,
      approvalStatus: row.approval_status,
      sentVersion: row.sent_version,
      runs: runsOf.get(row.id) ?? [],
    };
    campaign?.lineItems.push(item);
    for (const version of campaign?.versions.values() ?? []) {
      for (const [audienceId, publisherId] of version.audiences) {
        if (publisherId === item.publisherId) campaign?.lineItemOf.set(audienceId, item);
      }
    }
  }
}
