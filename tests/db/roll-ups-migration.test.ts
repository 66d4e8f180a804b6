import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as schema from "#db/schema/index.ts";
import { createFormerDatabase, type FormerDatabase } from "#tests/support/database/former-database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

/** The first migration of the roll-ups. */
const first = 33;
const items = 12;

let database: FormerDatabase;
let owner: Sql;
/** Servers of the version before. */
let servers: Sql[];

beforeAll(async () => {
  database = await createFormerDatabase(first);
  ({ owner } = database);
  servers = [1, 2, 3, 4].map(database.connectServer);
  await insertParents();
});

afterAll(() => database.drop());

/** Returns an id that ends with a number, as the locks of the roll-ups go by the end. */
const idOf = (kind: number, number: number) => `00000000-0000-7000-8${kind}00-${number.toString(16).padStart(12, "0")}`;
const [advertiserKind, publisherKind, audienceKind, campaignKind, itemKind, reportKind] = [1, 2, 3, 4, 5, 6];
const report = idOf(reportKind, 1);

/** Inserts what facts refer to: two advertisers with campaigns of two versions each, whose categories differ. */
async function insertParents(): Promise<void> {
  for (const n of [1, 2]) {
    await owner`insert into accounts (id, type, status, company_name) values (${idOf(advertiserKind, n)}, 'advertiser', 'approved', 'A'), (${idOf(publisherKind, n + 2)}, 'publisher', 'approved', 'B')`;
    for (const m of [1, 2])
      await owner`insert into audiences (id, publisher_id, name, segment, status) values (${idOf(audienceKind, n * 2 + m)}, ${idOf(publisherKind, n + 2)}, ${`C${m}`}, 'high-value', 'building')`;
  }
  await owner.begin(async (tx) => {
    // Only what a line item has to be when it delivers.
    await tx`set local session_replication_role = replica`;
    for (let n = 0; n < items; n += 1) {
      await tx`insert into campaigns (id, advertiser_id) values (${idOf(campaignKind, n)}, ${idOf(advertiserKind, 1 + (n % 2))})`;
      for (const [number, category] of [
        [1, n % 3 === 0 ? null : `Category ${n % 3}`],
        [2, "Other"],
      ] as const)
        await tx`insert into campaign_versions (campaign_id, number, sent_at, product_category, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
          values (${idOf(campaignKind, n)}, ${number}, now(), ${category}, 'traffic', 'display', 'https://shop.example/', array['us'], 'dsp', array['dv360'], 500000, 10000, current_date - 365, current_date + 30)`;
      await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approval_status, approved_version, commission_rate_bps, sent_at)
        values (${idOf(itemKind, n)}, ${idOf(campaignKind, n)}, ${idOf(publisherKind, 3 + (Math.floor(n / 2) % 2))}, 'D', 'A', 1, 'approved', 1, ${6_000 + n}, now())`;
    }
  });
  await owner`insert into delivery_reports (id, received_at, reported_by, rows, added, restated, rejected) values (${report}, now(), 'tests', 9, 9, 0, 0)`;
}

/** Inserts facts of line items, for days before today, on two audiences and two channels each. */
async function deliver(sql: Sql, { numbers, days, source }: { numbers: number[]; days: number; source: string }) {
  await sql`
    insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
    select item.id, item.publisher_id, current_date - back, audience.id, channel, ${source}, 1000 + back, 10, 1, 4250001 + back, 9000000, 4250001 + back, ${report}
    from line_items item join audiences audience using (publisher_id) cross join generate_series(1, ${days}) back cross join unnest(array['dv360', 'amazon_dsp']) channel
    where item.id = any(${numbers.map((number) => idOf(itemKind, number))}::uuid[]) order by 1, 3, 4, 5`;
}

/**
 * A report of the version before, in its order: the campaigns, the roll-ups of their accounts, the line items, the
 * facts.
 */
function reportRows(sql: Sql, { numbers, source }: { numbers: number[]; source: string }): Promise<unknown> {
  return sql.begin(async (tx) => {
    const [campaigns, lineItems] = [campaignKind, itemKind].map((kind) => numbers.map((number) => idOf(kind, number)));
    await tx`select from campaigns where id = any(${campaigns ?? []}::uuid[]) order by id for no key update`;
    await tx`select pg_advisory_xact_lock(1482116003, place) from unnest(array[1, 2, 3, 4]) place`;
    await tx`select from line_items where id = any(${lineItems ?? []}::uuid[]) order by id for no key update`;
    await deliver(tx as unknown as Sql, { numbers, days: 3, source });
    await tx`update deliveries set revision = revision + 1, impressions = impressions + 1, spend_micros = spend_micros - 1
      where line_item_id = any(${lineItems ?? []}::uuid[]) and source = 'past' and day between current_date - 40 and current_date - 30`;
  });
}

/** An approval of another version by the version before. */
function approve(sql: Sql, { number, version }: { number: number; version: number }): Promise<unknown> {
  return sql.begin(async (tx) => {
    await tx`select from campaigns where id = ${idOf(campaignKind, number)} for no key update`;
    await tx`update line_items set sent_version = ${version}, approved_version = ${version} where id = ${idOf(itemKind, number)}`;
  });
}

const rules = /category|month|roll-up|line item's day|counter of delivery/;

test("old facts are summed once, while servers of the version before report, restate and approve other categories", async () => {
  const half = items / 2;
  for (const part of [0, half])
    await deliver(owner, {
      numbers: Array.from({ length: half }, (_, n) => part + n),
      days: 600,
      source: "past",
    });
  let isMigrated = false;
  const written = await Promise.all([
    (async () => {
      await database.migrate({ attempts: 400, pauseMs: 20 });
      isMigrated = true;
      return 0;
    })(),
    ...servers.map(async (sql, place) => {
      let done = 0;
      for (; !isMigrated; done += 1) {
        const numbers = [0, 3, 5].map((step) => (place * 2 + done + step) % items).sort((one, other) => one - other);
        if (place === 3) await approve(sql, { number: done % items, version: 1 + (done % 2) });
        else await reportRows(sql, { numbers, source: `beside ${place} ${done}` });
      }
      return done;
    }),
  ]);
  expect(Math.min(...written.slice(1))).toBeGreaterThan(1);

  const db = drizzle(owner, { schema });
  expect(await findBrokenInvariants(db, { only: (rule) => rules.test(rule) })).toEqual({});
  const [sums] = await owner`
    select (select count(*) from line_item_audience_months) > 500 as months, (select count(*) from account_category_days) > 5000 as days`;
  expect(sums).toEqual({ months: true, days: true });
}, 60_000);

test("an interrupted summation continues, and finds nothing to do afterwards", async () => {
  const read = () => owner`select account_category_days::text as row from account_category_days order by 1`;
  await owner`select move_category_days(line_item_id) from line_item_categories order by line_item_id`;
  const before = await read();
  const half = owner`select line_item_id from line_item_categories order by line_item_id limit 5`;
  await owner`select add_category_days(array(${half}), -1)`;
  await owner`delete from account_category_days where facts = 0`;
  await owner`delete from line_item_audience_months where line_item_id in (${half})`;
  await owner`update line_item_categories set summed_category = null where line_item_id in (${half})`;
  for (let time = 0; time < 2; time += 1) {
    await owner.unsafe("call fill_roll_ups()");
    expect(await read()).toEqual(before);
  }
  const db = drizzle(owner, { schema });
  expect(await findBrokenInvariants(db, { only: (rule) => rules.test(rule) })).toEqual({});
});
