import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audiences, campaignVersions, deliveries, lineItemDays } from "#db/schema/index.ts";
import { minimumAudienceSize, toTwoDigits } from "../audiences/audience.ts";
import { addDays, type CalendarDate, daysInclusive } from "../calendar-date.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { inSnapshot } from "../transaction.server.ts";
import { bySpend, countedRow, type Delivered, summed } from "./delivered.ts";
import { listDeliveredCreatives } from "./list-delivered-creatives.server.ts";
import { ownLineItems, sums } from "./own-line-items.server.ts";

/** The most days that a campaign's page shows, back from the last one with delivery. */
const mostDays = 366;

/**
 * What a campaign delivered, by day without gaps, channel, audience and creative, the largest spend first, and the frequency cap
 * of the version that runs. An advertiser sees all of its campaign, a publisher its line item; of a campaign that is neither's
 * there is nothing.
 */
export async function getCampaignDelivery(ctx: Ctx<TenantActor>, id: CampaignId) {
  return inSnapshot(ctx, async (tx) => {
    const parts = await listParts(tx, id);
    return {
      days: withoutGaps(await listDays(tx, id)),
      channels: channelsOf(parts),
      audiences: audiencesOf(parts).map((audience) => ({ ...audience, reach: toldReach(ctx, audience.reach) })),
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
      select fact.day::text as day, ${sums} from line_item_days fact where fact.line_item_id in (${ownLineItems(ctx, id)})
      group by fact.day order by fact.day desc limit ${mostDays}`,
  );
  return rows.reverse();
}

async function listParts(ctx: Ctx<TenantActor>, id: CampaignId): Promise<PartRow[]> {
  return queryRows(
    ctx.db,
    partRow,
    sql`
      select fact.channel, fact.audience_id, audience.name, ${sums},
        sum(fact.reach)::text as reach, (sum(fact.impressions) filter (where fact.reach is not null))::text as reached_impressions
      from deliveries fact join audiences audience on audience.id = fact.audience_id
      where fact.line_item_id in (${ownLineItems(ctx, id)}) group by fact.channel, fact.audience_id, audience.name`,
  );
}

/** That of the newest version which a publisher of the viewer's part approved, or of the newest sent before any did. */
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

/** A day between two without delivery is one with nothing delivered. */
function withoutGaps(rows: readonly DayRow[]): (Delivered & { day: CalendarDate })[] {
  const last = rows.at(-1)?.day;
  const first = rows.find(({ day }) => last && daysInclusive(day, last) <= mostDays)?.day;
  if (!first || !last) return [];
  const known = new Map(rows.map((row) => [row.day, [row]]));
  const days = Array.from({ length: daysInclusive(first, last) }, (_, index) => addDays(first, index));
  return summed(days.map((day) => ({ shown: { day }, rows: known.get(day) ?? [] })));
}

function channelsOf(parts: readonly PartRow[]) {
  const groups = [...groupedBy(parts, ({ channel }) => channel)];
  return summed(groups.map(([channel, rows]) => ({ shown: { channel }, rows }))).sort(bySpend);
}

/** With how many people were reached, each once a day and channel, and by how many of the impressions. */
function audiencesOf(parts: readonly PartRow[]) {
  const groups = [...groupedBy(parts, (part) => part.audience_id)].map(([id, rows]) => ({
    shown: {
      id,
      name: rows[0]?.name ?? "",
      reach: rows.reduce((total, { reach }) => total + Number(reach ?? 0), 0),
      reachedImpressions: rows.reduce((total, row) => total + Number(row.reached_impressions ?? 0), 0),
    },
    rows,
  }));
  return summed(groups).sort(bySpend);
}

/**
 * A publisher is told how many of its people were reached, an advertiser only of many and in two digits: what a channel reaches
 * in a small audience would tell its size, and in one of very few whether somebody is in it.
 */
function toldReach({ actor }: Ctx<TenantActor>, reach: number): number {
  if (actor.kind === "publisher") return reach;
  return reach < minimumAudienceSize ? 0 : toTwoDigits(reach, Math.round);
}

function groupedBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
