import { sql } from "drizzle-orm";
import fc from "fast-check";
import { z } from "zod";
import { addDays, type CalendarDate, daysInclusive } from "#app/domain/calendar-date.ts";
import { type Channel, channels } from "#app/domain/campaigns/campaign.ts";
import { moveCategorySums } from "#app/domain/delivery/move-category-sums.server.ts";
import type { AccountId, AudienceId, CampaignId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { createWorld, type World } from "#tests/support/world.ts";

/** One delivery fact with every dimension that a query can filter by; money is exact. */
export type Fact = {
  accounts: AccountId[];
  advertiser: AccountId;
  publisher: AccountId;
  campaign: CampaignId;
  audience: AudienceId;
  category: string | null;
  channel: Channel;
  day: CalendarDate;
  impressions: number;
  clicks: number;
  conversions: number;
  spend: bigint;
  revenue: bigint;
  earned: bigint;
};

/** The days on which something may have been delivered: more than a year, with a leap day. */
export const firstDay = "2024-01-15" as CalendarDate;
export const lastDay = "2025-03-20" as CalendarDate;

/** Two advertisers run campaigns, with products and without, on audiences of two publishers. */
export async function makeDeliveredWorld(db: Database) {
  const world = await createWorld(db);
  const launchedOn = world.today();
  const both = {
    approvedBy: ["harbor", "fern"] as ("harbor" | "fern")[],
    audiences: ["hikers", "coffeeDrinkers"] as const,
  };
  const creative_ids = [await insertCreative(db, world.accountId("northwind"))];
  const ofProducts = (...skus: string[]) => ({ creative_ids, selected_products: skus.map(world.product) });
  const packs = ofProducts("NW-PK-040", "NW-PK-022", "NW-BT-101");
  const campaigns = {
    packs: await world.aRunningCampaign({ ...both, changes: { name: "Packs", ...packs } }),
    tie: await world.aRunningCampaign({ changes: { name: '=Tents, "tied"', ...ofProducts("NW-TN-002", "NW-BT-204") } }),
    plain: await world.aRunningCampaign({ audiences: ["hikers", "campers"], changes: { name: "Plain" } }),
    coffee: await world.aRunningCampaign({ by: world.brightside, ...both, changes: { name: "Coffee" } }),
  };
  // Rates of which no split is a whole cent.
  await db.execute(
    sql`update line_items set commission_rate_bps = 6667 where id = (select min(id::text)::uuid from line_items)`,
  );
  return { ...world, campaigns, launchedOn };
}

/** Inserts random delivery in one statement, without reports; triggers update the sums. */
export async function deliverAnything(
  db: Database,
  rows: readonly [number, number, number, number, number][],
): Promise<void> {
  const days = daysInclusive(firstDay, lastDay);
  const values = rows.map(([place, day, channel, impressions, micros]) => ({
    place,
    day: addDays(firstDay, day % days),
    channel: channels[channel % channels.length],
    impressions,
    clicks: impressions % (place + 2),
    conversions: impressions % 3,
    micros,
  }));
  await db.execute(sql`
    with report as (
      insert into delivery_reports (id, received_at, reported_by, rows, added, restated, rejected) values (gen_random_uuid(), now(), 'test', 1, 1, 0, 0) returning id
    ), places as (
      select row_number() over (order by item.id, part.audience_id) - 1 as place, count(*) over () as places, item.id as line_item_id, item.publisher_id, part.audience_id
      from line_items item join version_audiences part on part.campaign_id = item.campaign_id and part.version = item.approved_version and part.publisher_id = item.publisher_id
    ), facts as (
      select * from json_to_recordset(${JSON.stringify(values)}::json) as fact (place int, day date, channel text, impressions int, clicks int, conversions int, micros bigint)
    )
    insert into deliveries as kept (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
    select line_item_id, publisher_id, day, audience_id, channel, 'test', max(impressions), least(max(clicks), max(impressions)), max(conversions), max(micros), max(micros) * 3 + 1, max(micros), max(report.id::text)::uuid
    from facts join places on places.place = facts.place % places.places cross join report group by 1, 2, 3, 4, 5
    on conflict do nothing`);
}

/**
 * What changes delivered facts: restatements of some of them, and versions with other categories, whose sums move or
 * not yet.
 */
export const changesArbitrary = fc.record({
  restated: fc.nat(6),
  categories: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(null, "Packs", "Footwear")), { maxLength: 2 }),
  areSumsMoved: fc.boolean(),
});

type ChangesOfFacts = typeof changesArbitrary extends fc.Arbitrary<infer Changes> ? Changes : never;

/** Restates some facts, approves versions of line items with other categories, and moves their sums or not. */
export async function changeAnything(
  world: World,
  { restated, categories, areSumsMoved }: ChangesOfFacts,
): Promise<void> {
  const { db } = world;
  await db.execute(sql`
    update deliveries set revision = revision + 1, impressions = impressions + 3, clicks = clicks / 2, conversions = conversions + 1,
      spend_micros = spend_micros / 3, revenue_micros = revenue_micros + 7
    where ${restated} > 0 and abs(hashtext(concat(line_item_id, day, channel))) % 9 < ${restated}`);
  for (const [place, category] of categories)
    await db.execute(sql`
      with item as (
        select item.id, item.campaign_id, approved_version, (select max(number) + 1 from campaign_versions known where known.campaign_id = item.campaign_id) as next
        from line_items item where approved_version is not null order by item.id
        offset ${place} % (select count(*) from line_items where approved_version is not null) limit 1
      ), version as (
        insert into campaign_versions select (jsonb_populate_record(known, jsonb_build_object('number', item.next, 'product_category', ${category}::text))).*
        from campaign_versions known join item on item.campaign_id = known.campaign_id and known.number = item.approved_version
      ), audience as (
        insert into version_audiences select (jsonb_populate_record(known, jsonb_build_object('version', item.next))).*
        from version_audiences known join item on item.campaign_id = known.campaign_id and known.version = item.approved_version
      )
      select 1`);
  for (const [place] of categories)
    await db.execute(sql`
      update line_items changed set sent_version = latest.number, approved_version = latest.number
      from (
        select item.id, (select max(number) from campaign_versions known where known.campaign_id = item.campaign_id) as number
        from line_items item where approved_version is not null order by item.id
        offset ${place} % (select count(*) from line_items where approved_version is not null) limit 1
      ) latest where changed.id = latest.id`);
  if (areSumsMoved) await moveCategorySums(world.job);
}

/** Returns all delivery facts of all accounts. */
export async function readFacts(db: Database): Promise<Fact[]> {
  const rows = await queryRows(
    db,
    z.record(z.string(), z.string().nullable()),
    sql`
      select owner.advertiser_id as advertiser, item.publisher_id as publisher, item.campaign_id as campaign, fact.audience_id as audience, version.product_category as category,
        fact.channel, fact.day::text as day, fact.impressions::text, fact.clicks::text, fact.conversions::text, fact.spend_micros::text as spend,
        fact.revenue_micros::text as revenue, (fact.spend_micros * item.commission_rate_bps)::text as earned
      from deliveries fact join line_items item on item.id = fact.line_item_id join campaigns owner on owner.id = item.campaign_id
      join campaign_versions version on version.campaign_id = item.campaign_id and version.number = item.approved_version`,
  );
  return [...rows].map((row) => ({
    accounts: [row.advertiser as AccountId, row.publisher as AccountId],
    advertiser: row.advertiser as AccountId,
    publisher: row.publisher as AccountId,
    campaign: row.campaign as CampaignId,
    audience: row.audience as AudienceId,
    category: row.category ?? null,
    channel: row.channel as Channel,
    day: row.day as CalendarDate,
    impressions: Number(row.impressions),
    clicks: Number(row.clicks),
    conversions: Number(row.conversions),
    spend: BigInt(row.spend ?? 0),
    revenue: BigInt(row.revenue ?? 0),
    earned: BigInt(row.earned ?? 0),
  }));
}
