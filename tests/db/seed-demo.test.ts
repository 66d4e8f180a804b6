import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  listInvoiceLines,
  listInvoices,
  summarizeInvoices,
} from "#app/domain/billing/invoices/list-invoices.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { demoAccountId } from "#db/seed/demo-accounts.ts";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { findBrokenFiles } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";

const moment = "2026-11-20T14:30:00Z";
const db = useDatabase({ demoAt: moment });
const now = new Date(moment);

async function rows(query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> {
  return db().execute(query);
}

test("two servers that start at once seed the database once", async () => {
  // By tests/support/database/demo-copies.ts.
  expect(await rows(sql`select count(*)::int accounts from accounts`)).toEqual([{ accounts: 6 }]);
});

test("starting again changes nothing", async () => {
  const digest = sql`select md5(string_agg(c::text, '' order by id)) campaigns, (select count(*)::int from audit_entries) entries from campaigns c`;
  const before = await rows(digest);
  await seedDemo({ db: db(), clock: () => now });
  expect(await rows(digest)).toEqual(before);
});

test("each demo account has read and unread notifications", async () => {
  const found = await rows(
    sql`select company_name as name, count(read_at)::int as read, count(*) filter (where read_at is null)::int as unread
      from accounts join notifications on account_id = accounts.id where is_demo group by 1 order by 1`,
  );
  expect(found).toHaveLength(4);
  for (const { read, unread } of found) expect([Number(read) > 0, Number(unread) > 0]).toEqual([true, true]);
});

test("there are at least eight audiences, forty products, and campaigns in every status", async () => {
  const [counts] = await rows(
    sql`select (select count(*)::int from audiences) audiences, (select count(*)::int from products) products, (select count(*)::int from campaigns) campaigns`,
  );
  expect(counts).toEqual({ audiences: 12, products: 40, campaigns: 22 });
  const states = await rows(sql`select status from campaigns group by 1 order by 1`);
  expect(states.map((row) => row.status)).toEqual(["active", "completed", "draft", "paused", "pending"]);
  const kinds = await rows(
    sql`select approval_status, status from line_items group by 1, 2 having count(*) > 0 order by 1, 2`,
  );
  expect(kinds.map((row) => `${row.approval_status} ${row.status}`)).toEqual([
    "approved active",
    "approved completed",
    "approved paused",
    "pending active",
    "pending pending",
    "rejected active",
    "rejected pending",
  ]);
});

test("the demo accounts are the four approved ones, each type's first with the lowest id", async () => {
  const found = await rows(
    sql`select u.email, a.type, a.is_demo, u.google_subject from accounts a join users u on u.account_id = a.id order by a.id`,
  );
  expect(found.map((row) => [row.email, row.type, row.is_demo])).toEqual([
    ["advertiser@example.com", "advertiser", true],
    ["publisher@example.com", "publisher", true],
    ["second-advertiser@example.com", "advertiser", true],
    ["second-publisher@example.com", "publisher", true],
    ["unapproved-advertiser@example.com", "advertiser", false],
    ["unapproved-publisher@example.com", "publisher", false],
  ]);
  expect(found[0]?.google_subject).toBe("stand-in:advertiser@example.com");
});

test("no campaign spent more than its budgets, on any day or in total", async () => {
  const over = await rows(sql`
    with days as (select l.campaign_id, d.day, sum(d.spend_micros) spent from deliveries d join line_items l on l.id = d.line_item_id group by 1, 2)
    select c.name, day from days join campaigns c on c.id = campaign_id
    where spent > (select min(daily_budget_cents) * 10000 from campaign_versions v where v.campaign_id = c.id and v.number <= c.version and v.number = 1)
       or c.spend_micros > (select min(total_budget_cents) * 10000 from campaign_versions v where v.campaign_id = c.id)`);
  expect(over).toEqual([]);
});

test("deliveries are within the flight, before today, at the frozen CPM, and after the publisher's approval", async () => {
  const wrong = await rows(sql`
    select c.name, d.* from deliveries d join line_items l on l.id = d.line_item_id join campaigns c on c.id = l.campaign_id
      join campaign_versions v on v.campaign_id = c.id and v.number = l.approved_version
      join version_audiences a on a.campaign_id = c.id and a.version = v.number and a.audience_id = d.audience_id
    where d.day not between v.start_date and v.end_date or d.day >= ${calendarDateOf(now)} or d.reported_micros <> d.impressions * a.cpm_cents * 10
       or d.channel <> all (v.channels) or d.day < (select min(decided_at)::date from decisions where line_item_id = l.id and action = 'approve')`);
  expect(wrong).toEqual([]);
});

test("the same day produces the same data, to the last click", async () => {
  const sums = await rows(
    sql`select count(*)::int days, sum(impressions)::int views, sum(clicks)::int clicks, sum(spend_micros)::text spent, sum(revenue_micros)::text brought from deliveries`,
  );
  expect(sums).toEqual([
    { days: 1_399, views: 24_518_890, clicks: 172_407, spent: "176313483300", brought: "540517660000" },
  ]);
});

test("the metrics of what ran are realistic", async () => {
  const ran = await rows(
    sql`select name, 100.0 * clicks / impressions ctr, revenue_micros::float / spend_micros roas, conversions from campaigns where impressions > 0`,
  );
  expect(ran.length).toBeGreaterThanOrEqual(12);
  for (const campaign of ran) {
    expect(Number(campaign.ctr), `${campaign.name}`).toBeGreaterThan(0.2);
    expect(Number(campaign.ctr), `${campaign.name}`).toBeLessThan(2.2);
    // A small demo has few orders, and each seed has different ones.
    expect(Number(campaign.roas), `${campaign.name}`).toBeGreaterThan(0.5);
    expect(Number(campaign.roas), `${campaign.name}`).toBeLessThan(8);
  }
  const [all] = await rows(sql`
    select sum(revenue_micros)::float / sum(spend_micros)::float roas, sum(reported_micros - spend_micros)::float / sum(spend_micros)::float beyond
    from line_item_days`);
  expect(Number(all?.roas)).toBeGreaterThan(1.8);
  expect(Number(all?.roas)).toBeLessThan(4);
  expect(Number(all?.beyond)).toBeLessThan(0.001);
});

test("counters are the sums of the deliveries", async () => {
  const wrong = await rows(sql`
    select l.id from line_items l left join (select line_item_id, sum(impressions) i, sum(clicks) c, sum(spend_micros) s from deliveries group by 1) d on d.line_item_id = l.id
    where l.impressions <> coalesce(i, 0) or l.clicks <> coalesce(c, 0) or l.spend_micros <> coalesce(s, 0)
    union all
    select c.id from campaigns c left join (select campaign_id, sum(impressions) i, sum(spend_micros) s from line_items group by 1) l on l.campaign_id = c.id
    where c.impressions <> coalesce(i, 0) or c.spend_micros <> coalesce(s, 0)`);
  expect(wrong).toEqual([]);
  const actor = { kind: "publisher" as const, accountId: demoAccountId("harbor") };
  const harbor = await countLineItems({
    db: db(),
    clock: () => now,
    entrypoint: "screen",
    report: () => undefined,
    actor,
  });
  expect(harbor.approval.pending).toBe(4);
  expect(harbor.management.managed).toBe(2);
});

test("the advertiser on credit has paid and open invoices, and the books add up to the cent", async () => {
  const actor = { kind: "advertiser" as const, accountId: demoAccountId("brightside") };
  const ctx = { db: db(), clock: () => now, entrypoint: "screen" as const, report: () => undefined, actor };
  const invoices = (await listInvoices(ctx, {})).rows;
  expect(invoices.map(({ number, month, status }) => [number, month, status])).toEqual([
    ["INV-000003", "2026-10-01", "open"],
    ["INV-000002", "2026-09-01", "overdue"],
    ["INV-000001", "2026-08-01", "paid"],
  ]);
  const [october] = invoices;
  const lines = october ? await listInvoiceLines(ctx, { id: october.id }) : [];
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(october?.amount);
  const { balance, owed, holds } = await getWallet(ctx);
  expect([balance, holds]).toEqual([-owed, false]);
  expect(owed).toBeGreaterThan((await summarizeInvoices(ctx)).open);
  expect(await checkLedger({ ...ctx, actor: { kind: "job", name: "Endcap" } })).toEqual([]);
});

test("histories are in the order of their events", async () => {
  const [{ count } = { count: -1 }] = await rows(
    sql`select count(*)::int count from (select created_at, lag(created_at) over (order by id) before from audit_entries) a where created_at < before`,
  );
  expect(count).toBe(0);
  const [last] = await rows(
    sql`select max(created_at) at, min(entrypoint) entrypoint, max(entrypoint) as latest from audit_entries`,
  );
  expect(new Date(`${last?.at}`).getTime()).toBeLessThanOrEqual(now.getTime());
  expect([last?.entrypoint, last?.latest]).toEqual(["seed", "seed"]);
});

test("campaigns reference existing creatives, whatever PUBLIC_URL is", async () => {
  const shown =
    await rows(sql`select count(*)::int campaigns, count(*) filter (where creative_preview_url ~ '^/creatives/.{32}[.](png|mp4)$')::int pictures
    from campaigns where version > 0`);
  expect(shown).toEqual([{ campaigns: expect.any(Number), pictures: shown[0]?.campaigns }]);
  expect(await rows(sql`select count(*)::int creatives from creatives`)).toEqual([{ creatives: 10 }]);
  expect(await findBrokenFiles(db())).toEqual([]);
});
