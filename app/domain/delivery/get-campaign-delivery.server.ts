import { type SQL, sql } from "drizzle-orm";
import { roundedSize } from "../audiences/audience.ts";
import { addDays, type CalendarDate, daysInclusive } from "../calendar-date.ts";
import type { Channel } from "../campaigns/campaign.ts";
import { ctrPercent } from "../campaigns/metrics.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AudienceId, CampaignId } from "../ids.ts";
import { type Cents, toCents } from "../money.ts";
import { wholeCents } from "./whole-cents.ts";

/** What was delivered. CTR in percent; the money in whole cents that add up to those of the sum. */
export type Delivered = { impressions: number; clicks: number; conversions: number; spendCents: Cents; ctr: number };

/** The most days that a campaign's page shows, back from the last one with delivery. */
const mostDays = 366;

/**
 * What a campaign delivered, by day without gaps, channel and audience, the largest spend first. An advertiser sees all of its
 * campaign, a publisher its line item; of a campaign that is neither's there is nothing.
 */
export async function getCampaignDelivery(ctx: Ctx<TenantActor>, id: CampaignId) {
  const [days, parts] = await Promise.all([listDays(ctx, id), listParts(ctx, id)]);
  return { days: withoutGaps(days), channels: channelsOf(parts), audiences: audiencesOf(parts) };
}

export type CampaignDelivery = Awaited<ReturnType<typeof getCampaignDelivery>>;

type Counted = Record<"impressions" | "clicks" | "conversions" | "spend_micros", string>;
type DayRow = Counted & { day: CalendarDate };
type PartRow = Counted & {
  channel: Channel;
  audience_id: AudienceId;
  name: string;
  size: number;
  days: CalendarDate[];
};

const sums = sql.raw(
  "sum(fact.impressions)::text as impressions, sum(fact.clicks)::text as clicks, sum(fact.conversions)::text as conversions, sum(fact.spend_micros)::text as spend_micros",
);

async function listDays(ctx: Ctx<TenantActor>, id: CampaignId): Promise<DayRow[]> {
  const rows = await ctx.db.execute<DayRow>(sql`
    select fact.day::text as day, ${sums} from line_item_days fact where fact.line_item_id in (${ownLineItems(ctx, id)})
    group by fact.day order by fact.day desc limit ${mostDays}`);
  return [...rows].reverse();
}

async function listParts(ctx: Ctx<TenantActor>, id: CampaignId): Promise<PartRow[]> {
  const rows = await ctx.db.execute<PartRow>(sql`
    select fact.channel, fact.audience_id, audience.name, audience.size, array_agg(distinct fact.day::text) as days, ${sums}
    from deliveries fact join audiences audience on audience.id = fact.audience_id
    where fact.line_item_id in (${ownLineItems(ctx, id)}) group by fact.channel, fact.audience_id, audience.name, audience.size`);
  return [...rows];
}

function ownLineItems({ actor }: Ctx<TenantActor>, id: CampaignId): SQL {
  return actor.kind === "publisher"
    ? sql`select id from line_items where campaign_id = ${id} and publisher_id = ${actor.accountId}`
    : sql`select item.id from line_items item join campaigns campaign on campaign.id = item.campaign_id
        where campaign.id = ${id} and campaign.advertiser_id = ${actor.accountId}`;
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

/** With the size that an advertiser is shown, and the number of days on which something was delivered to it. */
function audiencesOf(parts: readonly PartRow[]) {
  const groups = [...groupedBy(parts, (part) => part.audience_id)].map(([id, rows]) => ({
    shown: {
      id,
      name: rows[0]?.name ?? "",
      people: roundedSize(rows[0]?.size ?? 0),
      days: new Set(rows.flatMap(({ days }) => days)).size,
    },
    rows,
  }));
  return summed(groups).sort(bySpend);
}

function groupedBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function bySpend(one: Delivered, other: Delivered): number {
  return other.spendCents - one.spendCents || other.impressions - one.impressions;
}

function summed<Shown>(groups: readonly { shown: Shown; rows: readonly Counted[] }[]): (Shown & Delivered)[] {
  const cents = wholeCents(groups.map(({ rows }) => sum(rows, "spend_micros")));
  return groups.map(({ shown, rows }, index) => {
    const counted = {
      impressions: Number(sum(rows, "impressions")),
      clicks: Number(sum(rows, "clicks")),
      conversions: Number(sum(rows, "conversions")),
    };
    return { ...shown, ...counted, spendCents: cents[index] ?? toCents(0), ctr: ctrPercent(counted) };
  });
}

function sum(rows: readonly Counted[], name: keyof Counted): bigint {
  return rows.reduce((total, row) => total + BigInt(row[name]), 0n);
}
