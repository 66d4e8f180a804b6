import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createFormerDatabase, type FormerDatabase } from "#tests/support/database/former-database.ts";

/** The first migration of the partitions. */
const first = 30;

let database: FormerDatabase;
let owner: Sql;
/** A server of the version before. */
let server: Sql;

beforeAll(async () => {
  database = await createFormerDatabase(first);
  ({ owner } = database);
  server = database.connectServer();
  await insertParents();
});

afterAll(() => database.drop());

const ids = {
  advertiser: "00000000-0000-7000-8000-00000000000a",
  publisher: "00000000-0000-7000-8000-00000000000b",
  audience: "00000000-0000-7000-8000-00000000000c",
  campaign: "00000000-0000-7000-8000-00000000000d",
  item: "00000000-0000-7000-8000-00000000000e",
  report: "00000000-0000-7000-8000-00000000000f",
};

/** Inserts what facts refer to. */
async function insertParents(): Promise<void> {
  await owner`insert into accounts (id, type, status, company_name) values (${ids.advertiser}, 'advertiser', 'approved', 'A'), (${ids.publisher}, 'publisher', 'approved', 'B')`;
  await owner`insert into audiences (id, publisher_id, name, segment, status) values (${ids.audience}, ${ids.publisher}, 'C', 'high-value', 'building')`;
  await owner.begin(async (tx) => {
    // Only what a line item has to be when it delivers.
    await tx`set local session_replication_role = replica`;
    await tx`insert into campaigns (id, advertiser_id) values (${ids.campaign}, ${ids.advertiser})`;
    await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at)
      values (${ids.item}, ${ids.campaign}, ${ids.publisher}, 'D', 'A', 1, 7000, now())`;
  });
  await owner`insert into delivery_reports (id, received_at, reported_by, rows, added, restated, rejected) values (${ids.report}, now(), 'tests', 9, 9, 0, 0)`;
}

/** Inserts a fact of a day by its source, as the version before does: `day` is a date or how it follows from today. */
function deliver(sql: Sql, { source, month = 0 }: { source: string; month?: number }) {
  return sql`insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
    values (${ids.item}, ${ids.publisher}, (now() at time zone 'UTC' + ${month} * interval '1 month')::date, ${ids.audience}, 'dv360', ${source}, 1, 10, 1, 0, 50, 0, 50, ${ids.report})`;
}
const restate = (sql: Sql, source: string) =>
  sql`update deliveries set revision = revision + 1, impressions = impressions + 1 where source = ${source}`;

const countRow = z.object({ count: z.number() });
const count = async (query: Promise<unknown>) => z.tuple([countRow]).parse(await query)[0].count;

test("facts and revisions become the partition of the past where they are, while a server of the version before writes", async () => {
  for (let month = -14; month <= 0; month += 1) await deliver(server, { source: `past${-month}`, month });
  await restate(server, "past3");
  const files = () => owner`
    select pg_relation_filenode(oid) as file from pg_class where relkind in ('r', 'i') and pg_relation_size(oid) > 0
      and (relname ~ '^deliver(ies|y_revisions)_?(before|$)' or relname ~ '^(deliveries_line|delivery_revisions_pk)') order by 1`;
  const stored = await files();
  expect(stored).toHaveLength(4);

  let isMigrated = false;
  let written = 0;
  const writing = (async () => {
    for (; !isMigrated; written += 1) {
      await deliver(server, { source: `beside${written}` });
      await restate(server, `beside${written}`);
    }
  })();
  try {
    await database.migrate({ attempts: 40, pauseMs: 50 });
  } finally {
    isMigrated = true;
    await writing;
  }

  expect(await files()).toEqual(expect.arrayContaining(stored));
  expect(await count(server`select count(*)::int from deliveries`)).toBe(15 + written);
  expect(await count(server`select count(*)::int from delivery_revisions`)).toBe(1 + written);
  expect(await owner`select distinct tableoid::regclass::text ~ '_before_' as past from deliveries`).toEqual([
    { past: true },
  ]);
  const [sums] = await owner`select sum(impressions) = (select impressions from line_items) as same from deliveries`;
  expect(sums).toEqual({ same: true });
});

test("what is delivered later has partitions of its own from the month after next on, and restates the past", async () => {
  await restate(server, "past14");
  await restate(server, "past3");
  for (const month of [1, 2, 3]) await deliver(server, { source: `later${month}`, month });
  const partitions = await owner`
    select source, tableoid::regclass::text ~ '_before_' as past from deliveries where source ~ 'later' order by 1`;
  expect(partitions).toEqual([
    { source: "later1", past: true },
    { source: "later2", past: false },
    { source: "later3", past: false },
  ]);
  await restate(server, "later3");
  expect(await count(owner`select count(*)::int from delivery_revisions where source ~ 'later|past'`)).toBe(4);
});

test("each constraint is valid, and no second copy of a trigger counts a fact twice", async () => {
  expect(await owner`select conname from pg_constraint where not convalidated`).toEqual([]);
  const [sums] = await owner`select sum(impressions) = (select impressions from line_items) as same from deliveries`;
  expect(sums).toEqual({ same: true });
  const own = await owner`
    select tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid where relispartition and tgparentid = 0 and not tgisinternal
      and tgtype & 32 = 0`;
  expect(own).toEqual([]);
});
