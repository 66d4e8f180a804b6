import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { audiences, campaignVersions, deliveries, lineItemDays } from "#db/schema/index.ts";
import { minimumAudienceSize, toTwoDigits } from "../audiences/audience.ts";
import { addDays, type CalendarDate, daysInclusive } from "../calendar-date.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { inSnapshot } from "../transaction.server.ts";
import { bySpend, countedRow, type DeliveryTotals, sumGroups } from "./delivery-totals.ts";
import { findDeliveredMonths } from "./find-delivered-months.server.ts";
import { listDeliveredCreatives } from "./list-delivered-creatives.server.ts";
import { counterSums, ownLineItems } from "./own-line-items.server.ts";

/** The maximum number of days shown, back from the last day with delivery. */
const maxDays = 366;

/**
 * Returns what a campaign delivered by day (without gaps), channel, audience and creative, the largest spend first, and
 * the frequency cap of the running version. An advertiser sees its whole campaign, a publisher its line item; the
 * result is empty for any other campaign.
 */
export async function getCampaignDelivery(ctx: Ctx<TenantActor>, id: CampaignId) {
  return inSnapshot(ctx, async (tx) => {
    const parts = await listParts(tx, id);
    return {
      days: fillGaps(await listDays(tx, id)),
      channels: groupByChannel(parts),
      audiences: groupByAudience(parts).map((audience) => ({ ...audience, reach: visibleReach(ctx, audience.reach) })),
      creatives: await listDeliveredCreatives(tx, { id, all: parts }),
      cap: await findCap(tx, id),
    };
  });
}

export type CampaignDelivery = Awaited<ReturnType<typeof getCampaignDelivery>>;

const dayRow = countedRow.extend({ day: columnValue(lineItemDays.day) });
type DayRow = z.output<typeof dayRow>;
const partRow = countedRow.extend({
  channel: columnValue(deliveries.channel),
  audience_id: columnValue(deliveries.audienceId),
  name: columnValue(audiences.name),
  reach: z.string().nullable(),
  reached_impressions: z.string().nullable(),
});
type PartRow = z.output<typeof partRow>;
const capRow = z.object({
  impressions: columnValue(campaignVersions.frequencyCapImpressions),
  period: columnValue(campaignVersions.frequencyCapPeriod),
});

async function listDays(ctx: Ctx<TenantActor>, id: CampaignId): Promise<DayRow[]> {
  const rows = await queryRows(
    ctx.db,
    dayRow,
    sql`
      select fact.day::text as day, ${counterSums} from (${ownLineItems(ctx, id)} offset 0) own (id)
      cross join lateral (select * from line_item_days where line_item_id = own.id offset 0) fact
      group by fact.day order by fact.day desc limit ${maxDays}`,
  );
  return rows.reverse();
}

async function listParts(ctx: Ctx<TenantActor>, id: CampaignId): Promise<PartRow[]> {
  const delivered = await findDeliveredMonths(ctx, ownLineItems(ctx, id));
  if (!delivered) return [];
  return queryRows(
    ctx.db,
    partRow,
    sql`
      select fact.channel, fact.audience_id, audience.name, ${counterSums},
        sum(fact.reach)::text as reach, (sum(fact.impressions) filter (where fact.reach is not null))::text as reached_impressions
      from line_item_audience_days fact join audiences audience on audience.id = fact.audience_id
      where fact.line_item_id = any(${pgArray(delivered.lineItemIds)}::uuid[]) and fact.day between ${delivered.from}::date and ${delivered.to}::date
      group by fact.channel, fact.audience_id, audience.name`,
  );
}

/**
 * Reads the frequency cap of the newest version that a publisher approved, or of the newest sent version before any
 * approval, among the line items that the caller sees.
 */
async function findCap(ctx: Ctx<TenantActor>, id: CampaignId) {
  const [cap] = await queryRows(
    ctx.db,
    capRow,
    sql`
      select frequency_cap_impressions as impressions, frequency_cap_period as period from campaign_versions where campaign_id = ${id}
        and number = (select coalesce(max(approved_version), max(sent_version)) from line_items where id in (${ownLineItems(ctx, id)}))`,
  );
  return cap ?? null;
}

/** Fills days without delivery with zeros. */
function fillGaps(rows: readonly DayRow[]): (DeliveryTotals & { day: CalendarDate })[] {
  const last = rows.at(-1)?.day;
  const first = rows.find(({ day }) => last && daysInclusive(day, last) <= maxDays)?.day;
  if (!first || !last) return [];
  const known = new Map(rows.map((row) => [row.day, [row]]));
  const days = Array.from({ length: daysInclusive(first, last) }, (_, index) => addDays(first, index));
  return sumGroups(days.map((day) => ({ shown: { day }, rows: known.get(day) ?? [] })));
}

function groupByChannel(parts: readonly PartRow[]) {
  const groups = [...groupedBy(parts, ({ channel }) => channel)];
  return sumGroups(groups.map(([channel, rows]) => ({ shown: { channel }, rows }))).sort(bySpend);
}

/**
 * Groups by audience, with the number of people reached, each counted once per day and channel, and the impressions
 * they saw.
 */
function groupByAudience(parts: readonly PartRow[]) {
  const groups = [...groupedBy(parts, (part) => part.audience_id)].map(([id, rows]) => ({
    shown: {
      id,
      name: rows[0]?.name ?? "",
      reach: rows.reduce((total, { reach }) => total + Number(reach ?? 0), 0),
      reachedImpressions: rows.reduce((total, row) => total + Number(row.reached_impressions ?? 0), 0),
    },
    rows,
  }));
  return sumGroups(groups).sort(bySpend);
}

/**
 * Returns the reach that the caller may see: exact for a publisher; for an advertiser only above the minimum audience
 * size and rounded to two digits. The exact reach of a small audience would reveal its size, and of a tiny one whether
 * a person belongs to it.
 */
function visibleReach({ actor }: Ctx<TenantActor>, reach: number): number {
  if (actor.kind === "publisher") return reach;
  return reach < minimumAudienceSize ? 0 : toTwoDigits(reach, Math.round);
}

function groupedBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
