import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { campaigns, deliveries, lineItemDays } from "#db/schema/index.ts";
import type { CalendarDate } from "../calendar-date.ts";
import type { Ctx } from "../context.ts";
import type { AccountId, CampaignId, DeliveryReportId, LineItemId } from "../ids.ts";
import { dayKey, type SpendTotals } from "./allocate-spend.ts";
import type { StoredCreative } from "./delivery-creatives.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import type { LockedCampaign } from "./lock-campaigns.server.ts";

/** A row that becomes a fact. */
export type FactChange = { row: DeliveryRow; lineItemId: LineItemId; publisherId: AccountId };

/** The figures of a stored fact. Money in micros. */
export type StoredFact = Pick<
  DeliveryRow,
  "impressions" | "clicks" | "conversions" | "spendMicros" | "revenueMicros" | "reach"
> & {
  reportedMicros: number;
  creatives: readonly StoredCreative[] | null;
  /** The report that it has its figures from. */
  reportId: DeliveryReportId;
};

const factRow = z.object({
  lineItemId: columnValue(deliveries.lineItemId),
  day: columnValue(deliveries.day),
  audienceId: columnValue(deliveries.audienceId),
  channel: columnValue(deliveries.channel),
  source: columnValue(deliveries.source),
  impressions: z.string(),
  clicks: z.string(),
  conversions: z.string(),
  spendMicros: z.string(),
  revenueMicros: z.string(),
  reportedMicros: z.string(),
  reach: z.string().nullable(),
  creatives: columnValue(deliveries.creatives),
  reportId: columnValue(deliveries.reportId),
});
const spentRow = z.object({
  campaignId: columnValue(campaigns.id),
  day: columnValue(lineItemDays.day),
  spent: z.string(),
});

type FactKey = Record<"lineItemId" | "day" | "audienceId" | "channel" | "source", string>;

export function factKey({ lineItemId, row }: FactChange): string {
  return keyOf({ ...row, lineItemId });
}

export function keyOf({ lineItemId, day, audienceId, channel, source }: FactKey): string {
  return `${lineItemId} ${day} ${audienceId} ${channel} ${source}`;
}

/**
 * Reads the existing facts of the line items' days that are about to change. A day without a total has no facts and is
 * skipped.
 */
export async function listFacts(ctx: Ctx, changes: readonly FactChange[]): Promise<Map<string, StoredFact>> {
  const days = new Map<LineItemId, Set<CalendarDate>>();
  for (const { lineItemId, row } of changes) days.set(lineItemId, (days.get(lineItemId) ?? new Set()).add(row.day));
  const { from, to } = boundsOf(changes);
  const itemDays = [...days].flatMap(([lineItemId, of]) => [...of].map((day) => ({ lineItemId, day })));
  const rows = await queryRows(
    ctx.db,
    factRow,
    sql`
      select fact.line_item_id as "lineItemId", fact.day::text as day, fact.audience_id as "audienceId", fact.channel, fact.source,
        fact.impressions::text as impressions, fact.clicks::text as clicks, fact.conversions::text as conversions,
        fact.spend_micros::text as "spendMicros", fact.revenue_micros::text as "revenueMicros", fact.reported_micros::text as "reportedMicros",
        fact.reach::text as reach, fact.creatives, fact.report_id as "reportId"
      from unnest(${pgArray(itemDays.map((place) => place.lineItemId))}::uuid[], ${pgArray(itemDays.map((place) => place.day))}::date[]) as place (line_item_id, day)
      join line_item_days known using (line_item_id, day) join deliveries fact using (line_item_id, day)
      where fact.line_item_id = any(${pgArray(days.keys())}::uuid[]) and fact.day between ${from}::date and ${to}::date`,
  );
  return new Map(
    rows.map((figures) => [
      keyOf(figures),
      {
        impressions: Number(figures.impressions),
        clicks: Number(figures.clicks),
        conversions: Number(figures.conversions),
        spendMicros: Number(figures.spendMicros),
        revenueMicros: Number(figures.revenueMicros),
        reportedMicros: Number(figures.reportedMicros),
        reach: figures.reach === null ? null : Number(figures.reach),
        creatives: figures.creatives,
        reportId: figures.reportId,
      },
    ]),
  );
}

/**
 * Returns the first and the last day of changes. Statements name them although each fact's day is known, so that no
 * plan scans the partition of another month.
 */
export function boundsOf(changes: readonly FactChange[]): { from: CalendarDate | null; to: CalendarDate | null } {
  let from: CalendarDate | null = null;
  let to: CalendarDate | null = null;
  for (const { row } of changes) {
    if (!from || row.day < from) from = row.day;
    if (!to || row.day > to) to = row.day;
  }
  return { from, to };
}

/**
 * Reads the spend of the campaigns so far, in total and on the days, in micros, over all line items, because they share
 * the campaign's budgets. Each is read by its key: without statistics a plain join pairs each campaign with all line
 * items that have the day.
 */
export async function spentSoFar(
  ctx: Ctx,
  input: {
    campaigns: ReadonlyMap<CampaignId, LockedCampaign>;
    days: readonly { campaignId: CampaignId; day: CalendarDate }[];
  },
): Promise<SpendTotals> {
  const itemDays = [...new Map(input.days.map((place) => [dayKey(place), place])).values()];
  const rows = await queryRows(
    ctx.db,
    spentRow,
    sql`
      select place.campaign_id as "campaignId", place.day::text as day, sum(known.spend_micros)::text as spent
      from unnest(${pgArray(itemDays.map((place) => place.campaignId))}::uuid[], ${pgArray(itemDays.map((place) => place.day))}::date[]) as place (campaign_id, day)
      cross join lateral (select id from line_items where campaign_id = place.campaign_id offset 0) item
      cross join lateral (select spend_micros from line_item_days where line_item_id = item.id and day = place.day offset 0) known
      group by 1, 2`,
  );
  return {
    all: new Map([...input.campaigns.values()].map((campaign) => [campaign.id, campaign.spentMicros])),
    byDay: new Map(rows.map((row) => [dayKey(row), Number(row.spent)])),
  };
}
