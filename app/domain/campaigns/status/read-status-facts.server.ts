import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { campaignVersions, lineItems } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { asCents, microsToCents } from "../../money.ts";
import { type DeliveryBounds, deliveryEligibility } from "../delivery-eligibility.ts";
import type { StatusFacts } from "./status-reason.ts";

const day = columnValue(campaignVersions.startDate);
const factsRow = z.object({
  id: columnValue(lineItems.id),
  campaign_id: columnValue(lineItems.campaignId),
  publisher: z.string(),
  status: columnValue(lineItems.status),
  approval_status: columnValue(lineItems.approvalStatus),
  ever_approved: z.boolean(),
  paused_by_publisher: z.boolean(),
  on_funds_hold: z.boolean(),
  spent: z.string(),
  today: z.string(),
  approved_start: day,
  approved_end: day,
  approved_total: z.string().nullable(),
  approved_daily: z.string().nullable(),
  sent_start: day,
  sent_end: day,
  sent_total: z.string().nullable(),
  sent_daily: z.string().nullable(),
  completed_on: day,
});
type FactsRow = z.output<typeof factsRow>;

/** The facts of a line item with its ids. */
export type LineItemStatusFacts = StatusFacts & Pick<FactsRow, "id"> & { campaignId: CampaignId };

/**
 * Reads what the reasons of statuses derive from (status-reason.ts), for the caller's line items of these campaigns:
 * all of them for the advertiser, its own for a publisher, in the order of their ids. Campaigns, line items, versions
 * and days are read by their keys, one by one: as joins, tables without statistics had all line items of the publisher
 * and all versions read, and all days once per campaign.
 */
export async function readStatusFacts(
  ctx: Ctx<TenantActor>,
  campaignIds: readonly CampaignId[],
): Promise<LineItemStatusFacts[]> {
  if (campaignIds.length === 0) return [];
  const today = calendarDateOf(ctx.clock());
  const rows = await queryRows(
    ctx.db,
    factsRow,
    sql`
      select item.id, item.campaign_id, publisher.company_name as publisher, item.status, item.approval_status,
        item.approved_version is not null as ever_approved, item.publisher_paused_at is not null as paused_by_publisher,
        exists (select from funds_holds hold where hold.account_id = campaign.advertiser_id and hold.released_at is null) as on_funds_hold,
        campaign.spend_micros::text as spent,
        coalesce((select sum((select day.spend_micros from line_item_days day where day.line_item_id = part.id and day.day = ${today}::date))
          from line_items part where part.campaign_id = campaign.id), 0)::text as today,
        approved.start_date::text as approved_start, approved.end_date::text as approved_end,
        approved.total_budget_cents::text as approved_total, approved.daily_budget_cents::text as approved_daily,
        sent.start_date::text as sent_start, sent.end_date::text as sent_end,
        sent.total_budget_cents::text as sent_total, sent.daily_budget_cents::text as sent_daily,
        (item.completed_at at time zone 'UTC')::date::text as completed_on
      from unnest(${pgArray(new Set(campaignIds))}::uuid[]) listed (id)
      cross join lateral (select * from campaigns where id = listed.id offset 0) campaign
      cross join lateral (select * from line_items where campaign_id = listed.id offset 0) item
      join accounts publisher on publisher.id = item.publisher_id
      cross join lateral (select * from campaign_versions where campaign_id = item.campaign_id and number = item.sent_version offset 0) sent
      left join lateral (select * from campaign_versions where campaign_id = item.campaign_id and number = item.approved_version offset 0) approved on true
      where ${owned(ctx)} order by item.id`,
  );
  return rows.map((row) => toFacts(row, today));
}

function owned({ actor }: Ctx<TenantActor>): SQL {
  return actor.kind === "publisher"
    ? sql`item.publisher_id = ${actor.accountId}`
    : sql`campaign.advertiser_id = ${actor.accountId}`;
}

function toFacts(row: FactsRow, today: ReturnType<typeof calendarDateOf>): LineItemStatusFacts {
  const sent: DeliveryBounds = {
    startDate: row.sent_start,
    endDate: row.sent_end,
    totalBudgetCents: toCents(row.sent_total),
    dailyBudgetCents: toCents(row.sent_daily),
  };
  const approved: DeliveryBounds | undefined = row.ever_approved
    ? {
        startDate: row.approved_start,
        endDate: row.approved_end,
        totalBudgetCents: toCents(row.approved_total),
        dailyBudgetCents: toCents(row.approved_daily),
      }
    : undefined;
  const { startDate, endDate, totalBudgetCents } = approved ?? sent;
  const spentCents = microsToCents(BigInt(row.spent));
  const delivery = deliveryEligibility(
    { status: row.status, approved, sentBounds: sent, spentCents, onFundsHold: row.on_funds_hold },
    today,
  );
  return {
    id: row.id,
    campaignId: row.campaign_id,
    publisherName: row.publisher,
    status: row.status,
    approvalStatus: row.approval_status,
    everApproved: row.ever_approved,
    pausedByPublisher: row.paused_by_publisher,
    onFundsHold: row.on_funds_hold,
    delivery,
    startDate,
    endDate,
    totalBudgetCents,
    completedOn: row.completed_on,
    spentCents,
    spentTodayCents: microsToCents(BigInt(row.today)),
  };
}

function toCents(text: string | null) {
  return text === null ? null : asCents(Number(text));
}
