import { type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import { z } from "zod";
import type { Grouping } from "#app/domain/analytics/analytics.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { listDailyPerformance, listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { previousPeriod, resolvePeriod } from "#app/domain/analytics/period.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { type AccountId, parseId } from "#app/domain/ids.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { closeDatabase, type Database, openDatabase, withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { breakdowns } from "./breakdowns.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { medianRatio, type Row, secondsOf } from "./support/pairs.ts";

/** Campaigns of one advertiser, each a year on 6 audiences and 5 channels: 3 million facts, and 10 million with 914. */
const campaigns = Number(process.env.BENCH_ANALYTICS_CAMPAIGNS ?? 274);
/** How a row names the year. */
const year = `a year of ${((campaigns * 365 * 30) / 1e6).toFixed(1)} M facts`;
const repeat = 10;
const goal = "≥ 100× as fast";

/** Row 14: an advertiser's last year from the roll-ups, against the sums of its facts. Throws if the cents differ. */
export async function* analytics(world: BenchWorld): AsyncGenerator<Row> {
  await insertYear(world.sql);
  const filled = await secondsOf(() => sumByCategory(world.sql));
  const [advertiser] = z
    .array(z.object({ id: z.string() }))
    .parse(await world.sql`select account_id as id from users where email = 'advertiser@example.com'`);
  const accountId = parseId<AccountId>(advertiser?.id);
  if (!accountId) throw new Error("there is no demo advertiser");
  const db = openDatabase({ url: world.databaseUrl, max: 2 });
  const ctx: Ctx<AdvertiserActor> = {
    db,
    actor: { kind: "advertiser", accountId },
    clock: () => new Date(),
    entrypoint: "job",
    report: () => undefined,
  };
  const period = resolvePeriod({ range: "1y" }, calendarDateOf(ctx.clock()));
  const raw = (key: SQL) => rawAggregate(db, { accountId, period, key });
  await checkEqual(ctx, { raw: await raw(sql`''`), period });

  yield { row: "14", work: `${year}: summed by the migration`, reached: `${filled.toFixed(0)} s`, goal: "–" };
  const compare = async (work: string, ours: () => Promise<unknown>, key: SQL): Promise<Row> => {
    const ratio = await medianRatio({
      ours: async () => (await many(ours)) / repeat,
      theirs: () => secondsOf(() => raw(key)),
    });
    return { row: "14", work: `${year}: ${work}`, reached: `${(1 / ratio).toFixed(0)}× as fast`, goal };
  };
  const by = (group: Grouping) => () => listPerformance(ctx, { period, group, limit: 25 });
  yield await compare("totals and the year before", () => compareTotals(ctx, { period }), sql`''`);
  yield await compare("by day", () => listDailyPerformance(ctx, { period }), sql`fact.day`);
  yield await compare("by channel", by("channel"), sql`fact.channel`);
  yield await compare("by audience", by("audience"), sql`fact.audience_id`);
  yield await compare("by campaign", by("campaign"), sql`item.campaign_id`);
  const screen = () =>
    inSnapshot(ctx, async (tx) => {
      await listFilterOptions(tx, {});
      await compareTotals(tx, { period });
      await listDailyPerformance(tx, { period });
      await listDailyPerformance(tx, { period: previousPeriod(period) });
      await listPerformance(tx, { period, group: "channel", limit: 10 });
      await listPerformance(tx, { period, group: "campaign", limit: 25 });
    });
  yield await compare("all that the screen shows, against one aggregate", screen, sql`item.campaign_id`);
  yield* breakdowns(ctx, { period, year });
  await closeDatabase();
}

const sumsRow = z.object({ spend: z.string(), earned: z.string(), impressions: z.string() });
type Sums = z.output<typeof sumsRow>;

function rawAggregate(
  db: Database,
  { accountId, period, key }: { accountId: AccountId; period: { from: string; to: string }; key: SQL },
): Promise<Sums[]> {
  return withDeadline({ db }, 120_000).db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    return queryRows(
      tx,
      sumsRow,
      sql`
        select ${key} as key, sum(fact.impressions)::text as impressions, sum(fact.clicks), sum(fact.conversions), sum(fact.spend_micros)::text as spend, sum(fact.revenue_micros),
          sum(fact.spend_micros::numeric * item.commission_rate_bps)::text as earned
        from deliveries fact join line_items item on item.id = fact.line_item_id join campaigns owner on owner.id = item.campaign_id
        where owner.advertiser_id = ${accountId} and fact.day between ${period.from} and ${period.to} group by 1`,
    );
  });
}

async function checkEqual(
  ctx: Ctx<AdvertiserActor>,
  { raw, period }: { raw: Sums[]; period: Parameters<typeof compareTotals>[1]["period"] },
): Promise<void> {
  const { totals } = await compareTotals(ctx, { period });
  const spend = BigInt(raw[0]?.spend ?? 0) / 10_000n;
  const { rows } = await listPerformance(ctx, { period, group: "campaign", limit: 5_000 });
  const listed = rows.reduce((sum, row) => sum + row.spendCents, 0);
  if (BigInt(totals.spendCents) !== spend || listed !== totals.spendCents) throw new Error("the sums differ");
  if (totals.impressions !== Number(raw[0]?.impressions)) throw new Error("the counts differ");
}

function many(work: () => Promise<unknown>): Promise<number> {
  return secondsOf(async () => {
    for (let time = 0; time < repeat; time += 1) await work();
  });
}

/** Facts first, without triggers and keys' checks, then the roll-ups as the triggers fill them. */
async function insertYear(db: postgres.Sql): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local session_replication_role = replica`;
    await tx`create table bench_items as select n, uuidv7() as id, uuidv7() as campaign_id,
      (select account_id from users where email = 'advertiser@example.com') as advertiser_id, (select account_id from users where email = 'publisher@example.com') as publisher_id
      from generate_series(1, ${campaigns}::int) n`;
    await tx`insert into campaigns (id, advertiser_id, name, status, version, launched_at) select campaign_id, advertiser_id, 'Campaign ' || n, 'active', 1, now() from bench_items`;
    await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approval_status, approved_version, commission_rate_bps, sent_at)
      select id, campaign_id, publisher_id, 'Campaign ' || n, 'Bench', 1, 'approved', 1, 7000, now() from bench_items`;
    await tx`insert into campaign_versions (campaign_id, number, sent_at, product_category, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select campaign_id, 1, now(), (array['Packs', 'Tents', 'Boots', 'Shells'])[1 + n % 4], 'traffic', 'display', 'https://shop.example/', array['us'], 'dsp', array['dv360'], 500000, 10000, current_date - 365, current_date + 30 from bench_items`;
    await tx`insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
      select item.id, item.publisher_id, current_date - place.day, audience.id, channel, 'bench', 1000 + place.day, 10, 1, 4250001 + n + place.day, 9000000, 4250001 + n + place.day, (select min(id::text)::uuid from delivery_reports)
      from bench_items item cross join generate_series(0, 364) as place (day)
      cross join (select id from audiences order by id limit 6) audience
      cross join unnest(array['dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta']) channel order by 1, 3, 4, 5`;
    await tx`truncate line_item_days, line_item_months, account_line_item_months, account_audience_days, account_days, line_item_audience_months, account_category_days, account_category_months, line_item_categories`;
    await tx`insert into line_item_days select line_item_id, day, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros), sum(reported_micros) from deliveries group by 1, 2`;
    await tx`insert into line_item_months select line_item_id, date_trunc('month', day::timestamp)::date, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros) from line_item_days group by 1, 2`;
    await tx`insert into account_audience_days (account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
      select account_id, audience_id, day, channel, sum(fact.impressions), sum(fact.clicks), sum(fact.conversions), sum(fact.spend_micros), sum(fact.revenue_micros), sum(fact.spend_micros::numeric * item.commission_rate_bps)
      from deliveries fact join line_items item on item.id = fact.line_item_id join campaigns owner on owner.id = item.campaign_id
      cross join lateral (values (item.publisher_id), (owner.advertiser_id)) as sides (account_id) group by 1, 2, 3, 4`;
    await tx`insert into account_days select account_id, day, channel, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros), sum(earned_units) from account_audience_days group by 1, 2, 3`;
  });
  await db`checkpoint`;
}

/** Sums the facts by audience and channel and by category as the migration does. */
async function sumByCategory(db: postgres.Sql): Promise<void> {
  await db`
    insert into line_item_categories (line_item_id, advertiser_id, publisher_id, category)
    select item.id, owner.advertiser_id, item.publisher_id, coalesce(version.product_category, '')
    from line_items item join campaigns owner on owner.id = item.campaign_id
    left join campaign_versions version on version.campaign_id = item.campaign_id and version.number = coalesce(item.approved_version, item.sent_version)`;
  const connection = await db.reserve();
  await connection`set statement_timeout = 0`;
  await connection.unsafe("call fill_roll_ups()");
  await connection.unsafe("call fill_account_line_item_months()");
  connection.release();
  await db.unsafe(
    "vacuum analyze account_line_item_months, line_item_audience_months, account_category_days, account_category_months, line_item_categories, deliveries, line_item_days, line_item_months, account_audience_days, account_days, line_items, campaigns, campaign_versions",
  );
  await db`checkpoint`;
}
