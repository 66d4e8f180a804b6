import { sql } from "drizzle-orm";
import type { CalendarDate } from "../calendar-date.ts";
import type { ApprovalStatus, CampaignStatus, Channel, LineItemStatus } from "../campaigns/campaign.ts";
import type { Ctx } from "../context.ts";
import type { AccountId, AudienceId, CampaignId, CreativeId, LineItemId } from "../ids.ts";
import { toCents } from "../money.ts";
import type { PastLineItem, Run, SentVersion } from "./running-day.ts";

/** A campaign with all that says what it may have delivered when. */
export type LockedCampaign = {
  id: CampaignId;
  advertiserId: AccountId;
  status: CampaignStatus;
  spentMicros: number;
  lineItems: PastLineItem[];
  /** In the order in which they were sent. */
  versions: Map<number, SentVersion>;
  /** Whose part of the campaign an audience belongs to. */
  lineItemOf: Map<AudienceId, PastLineItem>;
};

/** Locks the campaigns (in the order of their ids, as everybody does) and reads their past. Five statements, however many. */
export async function lockCampaigns(ctx: Ctx, ids: Iterable<CampaignId>): Promise<Map<CampaignId, LockedCampaign>> {
  const wanted = arrayOf(new Set(ids));
  const rows = await ctx.db.execute<{
    id: CampaignId;
    advertiser_id: AccountId;
    status: CampaignStatus;
    spent: string;
  }>(
    sql`select id, advertiser_id, status, spend_micros::text as spent from campaigns where id = any(${wanted}::uuid[]) order by id for no key update`,
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
  const ids = arrayOf(campaigns.keys());
  const [versions, chosen] = await Promise.all([
    ctx.db.execute<VersionRow>(sql`
      select campaign_id, number, start_date::text, end_date::text, total_budget_cents::text as total, daily_budget_cents::text as daily,
        channels, creative_ids, (sent_at at time zone 'UTC')::date::text as sent_on
      from campaign_versions where campaign_id = any(${ids}::uuid[]) order by campaign_id, number`),
    ctx.db.execute<{ campaign_id: CampaignId; version: number; audience_id: AudienceId; publisher_id: AccountId }>(
      sql`select campaign_id, version, audience_id, publisher_id from version_audiences where campaign_id = any(${ids}::uuid[])`,
    ),
  ]);
  const audiences = new Map<string, Map<AudienceId, AccountId>>();
  for (const row of chosen) {
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
      totalBudgetCents: toCents(Number(row.total)),
      dailyBudgetCents: toCents(Number(row.daily)),
      channels: new Set(row.channels),
      creatives: new Set(row.creative_ids),
      audiences: audiences.get(`${row.campaign_id} ${row.number}`) ?? new Map(),
    });
  }
}

type VersionRow = {
  campaign_id: CampaignId;
  number: number;
  start_date: CalendarDate;
  end_date: CalendarDate;
  total: string;
  daily: string;
  channels: Channel[];
  creative_ids: CreativeId[];
  sent_on: CalendarDate;
};

async function readLineItems(ctx: Ctx, campaigns: Map<CampaignId, LockedCampaign>): Promise<void> {
  const ids = arrayOf(campaigns.keys());
  const [items, runs] = await Promise.all([
    ctx.db.execute<LineItemRow>(
      sql`select id, campaign_id, publisher_id, status, approval_status, approved_version, sent_version from line_items where campaign_id = any(${ids}::uuid[]) order by id`,
    ),
    // A run that ends with the day's end does not touch the next.
    ctx.db.execute<Run & { line_item_id: LineItemId }>(sql`
      select line_item_id, version, (started_at at time zone 'UTC')::date::text as "from",
        ((ended_at - interval '1 ms') at time zone 'UTC')::date::text as "to"
      from line_item_runs where campaign_id = any(${ids}::uuid[]) order by line_item_id, started_at`),
  ]);
  const runsOf = new Map<LineItemId, Run[]>();
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

type LineItemRow = {
  id: LineItemId;
  campaign_id: CampaignId;
  publisher_id: AccountId;
  status: LineItemStatus;
  approved_version: number | null;
  approval_status: ApprovalStatus;
  sent_version: number;
};

/** A list as PostgreSQL reads it from one parameter: the driver takes longer over arrays than the query. Ids, days, words and numbers only. */
export function arrayOf(values: Iterable<string | number>): string {
  return `{${[...values].join(",")}}`;
}
