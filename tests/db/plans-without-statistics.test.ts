import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { listCampaignMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { findExampleIds } from "#app/domain/api-keys/find-example-ids.server.ts";
import { listAudienceBlockingCampaigns } from "#app/domain/audiences/archive-audience.server.ts";
import { getAudienceMetrics, listAudienceCampaigns } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { countPlanUsage } from "#app/domain/billing/subscription/plan-usage.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { countMatchingCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { notifyCampaignStarts } from "#app/domain/campaigns/notifications/notify-campaign-starts.server.ts";
import { sendDecisionReminders } from "#app/domain/campaigns/notifications/send-decision-reminders.server.ts";
import { readStatusFacts } from "#app/domain/campaigns/status/read-status-facts.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-products.server.ts";
import { getSelectionSummary } from "#app/domain/catalog/get-selection-summary.server.ts";
import { areAnyInUse, listProductBlockingCampaigns } from "#app/domain/catalog/product-use.server.ts";
import { syncDueStores } from "#app/domain/catalog/stores/sync-due-stores.server.ts";
import { listCreativeBlockingCampaigns } from "#app/domain/creatives/creative-use.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { spentSoFar } from "#app/domain/delivery/delivery-facts.server.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { getCampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import { type CampaignId, type CreativeId, newId } from "#app/domain/ids.ts";
import { listErasureBlockers } from "#app/domain/privacy/list-erasure-blockers.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { listReports } from "#app/domain/reports/list-reports.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import type { Database } from "#db/client.server.ts";
import { sessionSettings } from "#db/connection-traits.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItems } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
  id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
});

/**
 * Runs work in a transaction that is rolled back, as the owner with the planner settings of a server. Nothing gathers
 * statistics of what it writes.
 */
async function unanalyzed<Result>(work: (tx: Database) => Promise<Result>): Promise<Result | undefined> {
  let result: Result | undefined;
  const end = new Error("rolled back");
  const rolledBack = db.owner().transaction(async (tx) => {
    for (const name of ["random_page_cost", "max_parallel_workers_per_gather"] as const)
      await tx.execute(sql.raw(`set local ${name} = ${sessionSettings[name]}`));
    result = await work(tx);
    throw end;
  });
  await rolledBack.catch((error) => expect(error).toBe(end));
  return result;
}

/**
 * Makes the planner believe that a page of the table has that many rows, as it does of a large table that was never
 * analyzed.
 */
const believe = (tx: Database, table: string, rowsOfPage: number) =>
  tx.execute(
    sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', ${table}::text, 'relpages', 1, 'reltuples', ${rowsOfPage}::real)`,
  );

/**
 * Inserts 3,000 copies of the campaign's first row in a table, in which some columns are expressions of their number
 * `n`.
 */
async function copyRows(tx: Database, table: string, values: Record<string, string>) {
  const columns = await queryRows(
    tx,
    z.object({ name: z.string() }),
    sql`select column_name as name from information_schema.columns where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const selected = columns.map(({ name }) => values[name] ?? `one."${name}"`).join(", ");
  const key = table === "campaigns" ? "id" : "campaign_id";
  await tx.execute(
    sql.raw(
      `insert into "${table}" (${names}) select ${selected} from (select * from "${table}" where ${key} = '${id}' limit 1) one cross join generate_series(1, 3000) n`,
    ),
  );
}

const scanRow = z.object({ name: z.string(), scans: z.number() });

/**
 * Returns how often work scanned the table itself and each of its indexes, without those that it did not. A connection
 * counts on from transactions before, until it reports what it counted.
 */
async function scansOf(tx: Database, table: string, work: () => Promise<unknown>) {
  const counts = () =>
    queryRows(
      tx,
      scanRow,
      sql`select 'all rows' as name, seq_scan::int as scans from pg_stat_xact_user_tables where relname = ${table}
        union all select indexrelname, pg_stat_get_xact_numscans(indexrelid)::int from pg_stat_user_indexes where relname = ${table}`,
    );
  const before = new Map((await counts()).map(({ name, scans }) => [name, scans]));
  await work();
  const scans = (await counts()).map((row) => [row.name, row.scans - (before.get(row.name) ?? 0)] as const);
  return Object.fromEntries(scans.filter(([, count]) => count > 0));
}

test("a wallet reads what can be spent by its advertiser, and asks no line item", async () => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "spendable_changes", 10_000);
    const read = async () => {
      const { reserved } = await getWallet({ ...world.northwind, db: tx });
      expect(reserved).toBeGreaterThan(0);
    };
    return { sums: await scansOf(tx, "spendable_changes", read), items: await scansOf(tx, "line_items", read) };
  });
  expect(scans).toEqual({ sums: { spendable_changes_pk: 1 }, items: {} });
});

test("what a campaign can spend is stored by the keys of its line items, whatever the planner knows", async () => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "line_items", 10_000);
    await believe(tx, "line_item_days", 1_000);
    await believe(tx, "campaign_versions", 10_000);
    const store = () => tx.execute(sql`select store_spendable(array[${id}::uuid])`);
    return [
      await scansOf(tx, "line_items", store),
      await scansOf(tx, "line_item_days", store),
      await scansOf(tx, "campaign_versions", store),
    ];
  });
  expect(scans).toEqual([
    { line_items_campaign_publisher: 1 },
    { line_item_days_line_item_id_day_pk: 1 },
    { campaign_versions_campaign_id_number_pk: 2 },
  ]);
});

test("unsettled spend is stored by keys, also while few line items have any", async () => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "unsettled_line_items", 1);
    return scansOf(tx, "unsettled_line_items", () =>
      tx.execute(sql`update line_items set spend_micros = spend_micros + 20000 where campaign_id = ${id}`),
    );
  });
  expect(Object.keys(scans ?? {})).toEqual(["unsettled_line_items_pkey"]);
});

test.each(["northwind", "harbor"] as const)("a list reads the status of %s's line items by their keys", async (who) => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "line_items", 10_000);
    await believe(tx, "line_item_days", 1_000);
    await believe(tx, "campaign_versions", 100);
    const read = async () => expect(await readStatusFacts({ ...world[who], db: tx }, [id])).toHaveLength(1);
    return {
      items: await scansOf(tx, "line_items", read),
      days: await scansOf(tx, "line_item_days", read),
      versions: await scansOf(tx, "campaign_versions", read),
    };
  });
  // The line items of the campaign are read once to be listed and once to sum what they spent today.
  expect(scans).toEqual({
    items: { line_items_campaign_publisher: 2 },
    days: { line_item_days_line_item_id_day_pk: 1 },
    // The version sent and the approved one.
    versions: { campaign_versions_campaign_id_number_pk: 2 },
  });
});

test.each(["northwind", "harbor"] as const)("marks of %s read decisions by their line items", async (who) => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "decisions", 1_000);
    // The approval of a second version, after which a change of budgets is looked for.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`update audit_entries set after = jsonb_set(after::jsonb, '{version}', '"2"') where action = 'line_item.approved'`,
    );
    await tx.execute(
      sql`insert into campaign_versions select (jsonb_populate_record(one, '{"number": 2, "total_budget_cents": 900000}')).* from campaign_versions one`,
    );
    const period = { from: world.today(), to: world.today() };
    return scansOf(tx, "decisions", () => listCampaignMarks({ ...world[who], db: tx }, { period }));
  });
  expect(Object.keys(scans ?? {})).toEqual(["decisions_line_item_version"]);
});

test.each(["northwind", "harbor"] as const)("analytics of %s by campaign ask only what delivered then", async (who) => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "campaigns", { id: "md5('campaign' || n)::uuid" });
    await copyRows(tx, "line_items", { id: "md5('item' || n)::uuid", campaign_id: "md5('campaign' || n)::uuid" });
    await tx.execute(
      sql`insert into account_line_item_months select account_id, month - interval '3 months', md5('item' || n)::uuid from account_line_item_months, generate_series(1, 3000) n`,
    );
    const to = world.today();
    const read = async () => {
      const period = { from: addDays(to, -5), to };
      const { rows } = await listPerformance({ ...world[who], db: tx }, { period, group: "campaign", limit: 25 });
      expect(rows).toMatchObject([{ key: id }]);
    };
    const tables = ["campaigns", "line_items", "line_item_days", "line_item_months"];
    const all: Record<string, number> = {};
    for (const table of tables)
      for (const count of Object.values(await scansOf(tx, table, read))) all[table] = (all[table] ?? 0) + count;
    return all;
  });
  for (const count of Object.values(scans ?? {})) expect(count).toBeLessThan(4);
  expect(scans).toMatchObject({ line_items: expect.any(Number) });
});

test.each(["northwind", "harbor"] as const)(
  "a campaign of %s reads its days, months and history by keys",
  async (who) => {
    const scans = await unanalyzed(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await copyRows(tx, "line_items", { id: "md5('item' || n)::uuid", campaign_id: "md5('campaign' || n)::uuid" });
      for (const table of ["line_item_days", "line_item_months"])
        await tx.execute(
          sql`insert into ${sql.identifier(table)} select (jsonb_populate_record(one, jsonb_build_object('line_item_id', md5('item' || n)))).* from ${sql.identifier(table)} one, generate_series(1, 3000) n`,
        );
      const ids = { id: "uuidv7()", campaign_id: "md5('campaign' || n)::uuid" };
      await copyRows(tx, "audit_entries", { ...ids, owner_id: owner("northwind"), account_id: owner("harbor") });
      await believe(tx, "line_items", 1_000);
      const ctx = { ...world[who], db: tx };
      const read = async () => {
        expect((await getCampaignDelivery(ctx, id)).days).toHaveLength(1);
        await getCampaignPacing(ctx, id);
        expect((await listHistory(ctx, id)).length).toBeGreaterThan(1);
      };
      const tables = ["line_item_days", "line_item_months", "audit_entries"];
      const all: Record<string, number> = {};
      for (const table of tables) Object.assign(all, await scansOf(tx, table, read));
      return all;
    });
    expect(Object.keys(scans ?? {}).sort()).toEqual([
      "audit_entries_campaign",
      "line_item_days_line_item_id_day_pk",
      "line_item_months_line_item_id_month_pk",
    ]);
  },
);

const owner = (who: "northwind" | "harbor") => `'${world.accountId(who)}'`;

test("a page of a list is read from the index of its order, not sorted from all rows of the account", async () => {
  const scans = await unanalyzed(async (tx) => {
    await copyRows(tx, "campaigns", { id: "uuidv7()" });
    return scansOf(tx, "campaigns", async () => {
      const { rows } = await listCampaigns({ ...world.northwind, db: tx }, { limit: 25 });
      expect(rows).toHaveLength(25);
    });
  });
  expect(scans).toMatchObject({ campaigns_advertiser: 1 });
});

test("rejected campaigns are read from their own index, however many others there are", async () => {
  const scans = await unanalyzed(async (tx) => {
    await copyRows(tx, "campaigns", { id: "uuidv7()" });
    await tx.execute(sql`update line_items set approval_status = 'rejected' where campaign_id = ${id}`);
    const ctx = { ...world.northwind, db: tx };
    const read = async () => {
      expect((await listCampaigns(ctx, { status: "rejected", limit: 5 })).rows).toMatchObject([{ id }]);
      expect(await countMatchingCampaigns(ctx, { status: "rejected" })).toBe(1);
    };
    return { campaigns: await scansOf(tx, "campaigns", read), versions: await scansOf(tx, "line_items", read) };
  });
  expect(scans?.campaigns).toEqual({ campaigns_rejected: 2, campaigns_pkey: expect.any(Number) });
});

test("the campaigns of an audience are read until there are enough of them", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "line_items", { id: "md5('item' || n)::uuid", campaign_id: "md5('campaign' || n)::uuid" });
    await copyRows(tx, "version_audiences", { campaign_id: "md5('campaign' || n)::uuid" });
    const audience = world.audience("hikers");
    return scansOf(tx, "line_items", async () => {
      expect(await listAudienceCampaigns({ ...world.harbor, db: tx }, audience)).toHaveLength(20);
    });
  });
  expect(scans).toEqual({ line_items_campaign_publisher: 20 });
});

test("a report reads the spend of its campaigns by their line items, however many others have the same day", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "line_items", { id: "md5('item' || n)::uuid", campaign_id: "md5('campaign' || n)::uuid" });
    await tx.execute(
      sql`insert into line_item_days select (jsonb_populate_record(one, jsonb_build_object('line_item_id', md5('item' || n)))).* from line_item_days one, generate_series(1, 3000) n`,
    );
    const found = await queryRows(
      tx,
      z.object({ id: columnValue(lineItems.campaignId) }),
      sql`select campaign_id as id from line_items where campaign_id <> ${id} limit 500`,
    );
    const days = found.map(({ id: campaignId }) => ({ campaignId, day: world.today() }));
    return scansOf(tx, "line_item_days", async () => {
      const { byDay } = await spentSoFar({ ...world.job, db: tx }, { campaigns: new Map(), days });
      expect(byDay.size).toBe(500);
    });
  });
  expect(scans).toEqual({ line_item_days_line_item_id_day_pk: 500 });
});

test("campaigns that are over are not read for those that keep an audience from being archived", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const values = { campaign_id: "md5('campaign' || n)::uuid" };
    await copyRows(tx, "line_items", { ...values, id: "md5('item' || n)::uuid", completed_at: "now()" });
    await copyRows(tx, "version_audiences", values);
    const ctx = { ...world.harbor, db: tx };
    const read = async () => {
      expect(await listAudienceBlockingCampaigns(ctx, world.audience("hikers"))).toMatchObject([{ id }]);
    };
    return { items: await scansOf(tx, "line_items", read), versions: await scansOf(tx, "version_audiences", read) };
  });
  expect(scans).toMatchObject({ items: { line_items_publisher_status: 2 } });
  expect(Object.values(scans?.versions ?? {})).toEqual([1]);
});

test.each([
  {
    who: "northwind",
    categories: "line_item_categories_of_advertiser",
    versions: "version_audiences_campaign_id_version_audience_id_pk",
  },
  { who: "harbor", categories: "line_item_categories_of_publisher", versions: "version_audiences_of_audience" },
] as const)("filters of $who offer what only the oldest campaign has, and look up each option once", async (of) => {
  const result = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update line_item_categories set category = 'Oldest'`);
    const newer = (rest: string) => `('ffffffff-${rest}-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
    await copyRows(tx, "campaigns", { id: newer("0001") });
    await copyRows(tx, "line_items", { id: newer("0002"), campaign_id: newer("0001") });
    await copyRows(tx, "version_audiences", {
      campaign_id: newer("0001"),
      audience_id: `'${world.audience("campers")}'`,
    });
    await tx.execute(
      sql`insert into line_item_categories select ${sql.raw(newer("0002"))}, advertiser_id, publisher_id, 'Newer', 'Newer' from line_item_categories, generate_series(1, 3000) n`,
    );
    const read = () => listFilterOptions({ ...world[of.who], db: tx }, {});
    const { campaigns, audiences, categories } = await read();
    return {
      options: [campaigns.length, audiences.map(({ label }) => label), categories.map(({ value }) => value)],
      categories: await scansOf(tx, "line_item_categories", read),
      versions: Object.keys(await scansOf(tx, "version_audiences", read)),
    };
  });
  expect(result).toEqual({
    options: [200, ["Camping gear repeat buyers", "Weekend hikers"], ["Newer", "Oldest"]],
    categories: { [of.categories]: 3 },
    versions: [of.versions],
  });
});

test("filters look up which audiences were sent, although statistics say that nearly all versions have one", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "version_audiences", { campaign_id: "md5('campaign' || n)::uuid" });
    await tx.execute(sql`analyze version_audiences`);
    return scansOf(tx, "version_audiences", () => listFilterOptions({ ...world.harbor, db: tx }, {}));
  });
  expect(Object.keys(scans ?? {})).toEqual(["version_audiences_of_audience"]);
});

test.each(["northwind", "harbor"] as const)(
  "marks of %s read campaigns by those of the entries, also where the plan is made for an account of usual size",
  async (who) => {
    const table = who === "northwind" ? "campaigns" : "line_items";
    const owner = who === "northwind" ? "advertiser_id" : "publisher_id";
    const scans = await unanalyzed(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await copyRows(tx, "campaigns", { id: "md5('campaign' || n)::uuid" });
      await copyRows(tx, "line_items", { id: "md5('item' || n)::uuid", campaign_id: "md5('campaign' || n)::uuid" });
      // As where most accounts have one campaign: the statistics do not say which has thousands to a plan for any
      // account.
      await tx.execute(sql.raw(`alter table ${table} alter column ${owner} set (n_distinct = -1)`));
      await tx.execute(sql.raw(`analyze ${table}`));
      await tx.execute(
        sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', ${table}::text, 'relallvisible', 1000)`,
      );
      await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
      const period = { from: world.today(), to: world.today() };
      return scansOf(tx, table, async () => {
        expect((await listCampaignMarks({ ...world[who], db: tx }, { period })).marks).toHaveLength(1);
      });
    });
    expect(scans).toEqual(who === "northwind" ? { campaigns_pkey: 1 } : { line_items_campaign_publisher: 1 });
  },
);

test.each(["northwind", "harbor"] as const)("marks of %s read no decision for what approves nothing", async (who) => {
  const scans = await unanalyzed(async (tx) => {
    const period = { from: world.today(), to: world.today() };
    const read = async () => {
      const { marks } = await listCampaignMarks({ ...world[who], db: tx }, { period });
      expect(marks.map(({ kind }) => kind)).toEqual(["launch"]);
    };
    return scansOf(tx, "decisions", read);
  });
  expect(scans).toEqual({});
});

test("what counts toward a plan's limit is read from its counter, and no line item is asked", async () => {
  const scans = await unanalyzed((tx) =>
    scansOf(tx, "line_items", async () => {
      expect(await countPlanUsage({ db: tx }, world.accountId("harbor"))).toBeGreaterThan(0);
    }),
  );
  expect(scans).toEqual({});
});

test("the uses of audiences are read from their counter, and no version is asked", async () => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "audience_uses", 10_000);
    const ctx = { ...world.harbor, db: tx };
    const read = async () => {
      expect((await listOwnAudiences(ctx, { limit: 1, sort: "used" })).rows[0]?.usedIn).toBeGreaterThan(0);
      expect((await getAudienceMetrics(ctx, world.audience("hikers"))).usedIn).toBeGreaterThan(0);
    };
    return [await scansOf(tx, "audience_uses", read), await scansOf(tx, "version_audiences", read)];
  });
  expect(scans).toEqual([{ audience_uses_pkey: expect.any(Number) }, {}]);
});

test("audiences that advertisers can select are read in their order until there are enough, their publishers by keys", async () => {
  const scans = await unanalyzed(async (tx) => {
    await believe(tx, "audiences", 10_000);
    await believe(tx, "accounts", 10_000);
    const read = async () =>
      expect((await listAudiences({ ...world.northwind, db: tx }, { limit: 1 })).rows).toHaveLength(1);
    return [await scansOf(tx, "audiences", read), await scansOf(tx, "accounts", read)];
  });
  // Their published sizes are read by their keys.
  expect(scans).toEqual([
    { audiences_ready: 1, audiences_id_publisher: expect.any(Number) },
    { accounts_id_type: expect.any(Number) },
  ]);
});

test("the campaigns that show a product, and whether any does, are read by its key, and no version is asked", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "campaigns", { id: "md5('campaign' || n)::uuid" });
    const product = world.product("NW-PK-040");
    await tx.execute(
      sql`insert into product_uses select ${world.accountId("northwind")}, used.id, md5('campaign' || n)::uuid from generate_series(1, 3000) n
        cross join lateral (values (${product}::uuid), (md5('product' || n)::uuid)) used (id)`,
    );
    const ctx = { ...world.northwind, db: tx };
    const ids = [product, world.product("NW-PK-022")];
    const read = async () => {
      expect(await listProductBlockingCampaigns(ctx, product)).toHaveLength(20);
      expect(await getSelectionSummary(ctx, { ids })).toMatchObject({ count: 2, used: 1 });
      expect([await areAnyInUse(ctx, ids), await areAnyInUse(ctx, ids.slice(1))]).toEqual([true, false]);
    };
    return [
      await scansOf(tx, "product_uses", read),
      await scansOf(tx, "campaigns", read),
      await scansOf(tx, "campaign_versions", read),
    ];
  });
  expect(scans).toEqual([{ product_uses_pk: 5 }, { campaigns_pkey: 20 }, {}]);
});

test("the campaigns that show a creative are read by its key, and no version is asked", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "campaigns", { id: "md5('campaign' || n)::uuid" });
    const creative = newId<CreativeId>();
    await tx.execute(
      sql`insert into creative_uses select used.id, md5('campaign' || n)::uuid from generate_series(1, 3000) n
        cross join lateral (values (${creative}::uuid), (md5('creative' || n)::uuid)) used (id)`,
    );
    const ctx = { ...world.northwind, db: tx };
    const read = async () => {
      expect(await listCreativeBlockingCampaigns(ctx, creative)).toHaveLength(20);
      expect(await listCreativeBlockingCampaigns(ctx, newId())).toEqual([]);
    };
    return [
      await scansOf(tx, "creative_uses", read),
      await scansOf(tx, "campaigns", read),
      await scansOf(tx, "campaign_versions", read),
    ];
  });
  expect(scans).toEqual([{ creative_uses_pk: 2 }, { campaigns_pkey: 20 }, {}]);
});

test("stores that are due and syncs that are interrupted are read in order by their index", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`insert into product_stores (id, account_id, kind, name, store_url, credential, next_sync_at, checked_at)
      select md5('store' || n)::uuid, ${world.accountId("larkspur")}, 'shopify', 'A shop', 'https://' || n, '', now() - interval '1 year', now()
      from generate_series(1, 3000) n`);
    await tx.execute(sql`insert into product_imports (id, account_id, store_id, status, heartbeat_at, finished_at, error)
      select id, account_id, id, 'failed', checked_at, checked_at, 'The shop could not be reached' from product_stores`);
    await believe(tx, "product_stores", 10_000);
    await believe(tx, "product_imports", 10_000);
    await believe(tx, "accounts", 10_000);
    const read = async () => {
      expect(await syncDueStores({ ...world.job, db: tx })).toBe(0);
    };
    return [await scansOf(tx, "product_stores", read), await scansOf(tx, "product_imports", read)];
  });
  expect(scans).toEqual([{ product_stores_due: 1 }, { product_imports_running: 2 }]);
});

test("a deletion of a creative reads no campaign that is over", async () => {
  const result = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const creative = await insertCreative(tx, world.accountId("northwind"));
    const shown = { creative_ids: `array['${creative}']::uuid[]` };
    const over = { status: "'completed'", completed_at: "now()", ...shown };
    await copyRows(tx, "campaigns", { id: "md5('over' || n)::uuid", ...over });
    await tx.execute(sql`update campaigns set creative_ids = array[${creative}::uuid] where id = ${id}`);
    await tx.execute(sql`set local session_replication_role = origin`);
    const ctx = { ...world.northwind, db: tx };
    const scans = await scansOf(tx, "campaigns", () => deleteCreative(ctx, { id: creative }));
    const left = await tx.execute(
      sql`select count(*)::int as campaigns from campaigns where ${creative} = any(creative_ids)`,
    );
    return { scans, left: [...left] };
  });
  expect(result).toEqual({ scans: { campaigns_with_creatives: 2 }, left: [{ campaigns: 3_000 }] });
});

test("a deletion leaves the drafts that have the product, and reads no campaign that has none or is over", async () => {
  const result = await unanalyzed(async (tx) => {
    const deleted = world.product("NW-PK-065");
    const chosen = `array['${deleted}', '${world.product("NW-PK-022")}']::uuid[]`;
    await tx.execute(sql`set local session_replication_role = replica`);
    await copyRows(tx, "campaigns", { id: "md5('none' || n)::uuid" });
    const over = { status: "'completed'", completed_at: "now()", product_ids: chosen };
    await copyRows(tx, "campaigns", { id: "md5('over' || n)::uuid", ...over });
    await tx.execute(sql`update campaigns set product_ids = ${sql.raw(chosen)} where id = ${id}`);
    await tx.execute(sql`set local session_replication_role = origin`);
    for (const table of ["products", "campaign_versions", "version_audiences"]) await believe(tx, table, 10_000);
    const ctx = { ...world.northwind, db: tx };
    let scans = {};
    let scannedVersions = {};
    let scannedAudiences = {};
    const scannedProducts = await scansOf(tx, "products", async () => {
      scannedAudiences = await scansOf(tx, "version_audiences", async () => {
        scannedVersions = await scansOf(tx, "campaign_versions", async () => {
          scans = await scansOf(tx, "campaigns", () => deleteProduct(ctx, { id: deleted }));
        });
      });
    });
    const left = await tx.execute(
      sql`select product_ids as ids, count(*)::int as campaigns from campaigns where product_ids <> '{}' group by 1 order by 2`,
    );
    return { scans, scannedProducts, scannedVersions, scannedAudiences, left: [...left] };
  });
  expect(result).toEqual({
    scans: { campaigns_with_products: 1 },
    scannedProducts: { products_account_id: expect.any(Number), products_pkey: 5 },
    // Whether what is left of the working copy differs from the version that was sent.
    scannedVersions: { campaign_versions_campaign_id_number_pk: 1 },
    scannedAudiences: { version_audiences_campaign_id_version_audience_id_pk: 1 },
    left: [
      { ids: [world.product("NW-PK-022")], campaigns: 1 },
      { ids: [world.product("NW-PK-065"), world.product("NW-PK-022")], campaigns: 3_000 },
    ],
  });
});

test("what a campaign shows is stored by the keys of its line items and versions, whatever the planner knows", async () => {
  const scans = await unanalyzed(async (tx) => {
    for (const table of ["campaigns", "line_items", "campaign_versions", "product_uses"])
      await believe(tx, table, 10_000);
    const store = () => tx.execute(sql`select store_product_uses(array[${id}::uuid])`);
    const all: Record<string, number> = {};
    for (const table of ["campaigns", "line_items", "campaign_versions", "product_uses"])
      Object.assign(all, await scansOf(tx, table, store));
    return all;
  });
  expect(scans).toEqual({
    campaigns_pkey: 1,
    line_items_campaign_publisher: 1,
    campaign_versions_campaign_id_number_pk: 1,
    product_uses_campaign: 1,
  });
});

test("starts are announced without reading campaigns that start on other days", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const own = { campaign_id: "md5('campaign' || n)::uuid" };
    await copyRows(tx, "campaigns", { id: own.campaign_id });
    await copyRows(tx, "line_items", { ...own, id: "md5('item' || n)::uuid" });
    await copyRows(tx, "campaign_versions", own);
    const announce = async () => expect(await notifyCampaignStarts({ ...world.job, db: tx })).toBe(0);
    return [await scansOf(tx, "campaign_versions", announce), await scansOf(tx, "line_items", announce)];
  });
  expect(scans).toEqual([{ campaign_versions_start: 1 }, {}]);
});

test("publishers are reminded without reading the reviews of which they were reminded before", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const own = { campaign_id: "md5('campaign' || n)::uuid" };
    const sentAt = addDays(world.today(), -9);
    const pending = { approval_status: "'pending'", approved_version: "null", sent_at: `'${sentAt}'` };
    await copyRows(tx, "campaigns", { id: own.campaign_id });
    await copyRows(tx, "campaign_versions", own);
    await copyRows(tx, "line_items", { ...own, ...pending, id: "md5('item' || n)::uuid" });
    await tx.execute(sql`set local session_replication_role = origin`);
    const remind = async () => sendDecisionReminders({ ...world.job, db: tx });
    expect([await remind(), await remind(), await remind()]).toEqual([2_000, 1_000, 0]);
    const read = async () => expect(await remind()).toBe(0);
    return {
      items: await scansOf(tx, "line_items", read),
      versions: await scansOf(tx, "campaign_versions", read),
      notifications: await scansOf(tx, "notifications", read),
    };
  });
  expect(scans).toEqual({ items: { line_items_unreminded: 1 }, versions: {}, notifications: {} });
});

test("reports read their last sendings and what became of the emails by keys, however often they were sent", async () => {
  const { id: reportId } = await createReport(world.northwind, { name: "By channel", query: "group=channel" });
  await sendReportNow(world.northwind, { id: reportId, userId: demoUserId("northwind") });
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(
      sql`insert into report_sendings select (jsonb_populate_record(one, jsonb_build_object('id', '00000000-0001-7000-8000-' || lpad(n::text, 12, '0')))).*
        from report_sendings one cross join generate_series(1, 3000) n`,
    );
    await believe(tx, "notifications", 10_000);
    const [partition] = await queryRows(
      tx,
      z.object({ of: z.string() }),
      sql`select tableoid::regclass::text as of from mails limit 1`,
    );
    const month = partition?.of ?? "";
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`insert into mails (id, notification_id, user_id, address, state, created_at)
        select uuidv7(), md5('notification' || n)::uuid, one.user_id, '', 'suppressed', now() from (select * from mails limit 1) one cross join generate_series(1, 20000) n`,
    );
    const ctx = { ...world.northwind, db: tx };
    const read = async () => expect(await listReports(ctx)).toMatchObject([{ lastSending: { waiting: 1 } }]);
    const scanned: Record<string, number> = {};
    for (const table of ["report_sendings", "notifications"]) Object.assign(scanned, await scansOf(tx, table, read));
    return { scanned, mails: Object.entries(await scansOf(tx, month, read)) };
  });
  expect(scans).toEqual({
    scanned: { report_sendings_report: 1, report_sendings_pkey: 1, notifications_once: 1 },
    mails: [[expect.stringMatching(/^mails_\d{4}_\d\d_notification_id_user_id_key$/), 1]],
  });
});

test("a page of a statement reads its own lines, and balances read months, however much was posted", async () => {
  const scans = await unanalyzed(async (tx) => {
    const owner = world.northwind.actor.accountId;
    await tx.execute(
      sql`insert into ledger_accounts (id, kind, owner_id) values (uuidv7(), 'cash', null), (uuidv7(), 'advertiser_wallet', ${owner})`,
    );
    await tx.execute(sql`
      with posted as (
        insert into ledger_transactions (id, event, event_key, legs_hash, posted_at)
        select uuidv7(), 'top_up', 'top_up/' || n, repeat('0', 64), ${`${world.today()}T08:00:00Z`}::timestamptz + n * interval '1 second' from generate_series(1, 3000) n returning id
      ) insert into ledger_entries (transaction_id, number, account_id, amount_cents)
      select posted.id, leg.number, account.id, leg.cents from posted cross join (values (1, 'cash', 100), (2, 'advertiser_wallet', -100)) leg (number, kind, cents)
      join ledger_accounts account on account.kind = leg.kind`);
    const month = calendarMonthOf(world.clock());
    const { nextCursor } = await getStatement({ ...world.northwind, db: tx }, { month, limit: 25 });
    const tables = ["statement_lines", "ledger_account_months", "ledger_transactions", "ledger_entries"];
    const all: Record<string, number> = {};
    for (const table of tables) {
      const read = () =>
        getStatement({ ...world.northwind, db: tx }, { month, limit: 25, cursor: nextCursor ?? undefined });
      Object.assign(all, await scansOf(tx, table, read));
    }
    return {
      all,
      lines: await entriesRead(tx, "statement_lines_pk", () =>
        getStatement({ ...world.northwind, db: tx }, { month, limit: 25 }),
      ),
    };
  });
  expect(scans).toEqual({
    all: { statement_lines_pk: 1, ledger_account_months_pk: 2, ledger_transactions_pkey: 26 },
    lines: 26,
  });
});

test("examples of a publisher's API read its newest campaign and review alone", async () => {
  const result = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const own = { id: "md5('item' || n)::uuid", campaign_id: "md5('campaign' || n)::uuid" };
    await copyRows(tx, "line_items", { ...own, approval_status: "'pending'", approved_version: "null" });
    const ctx = { ...world.harbor, db: tx };
    const [newest] = await tx.execute(
      sql`select campaign_id as campaign, campaign_id as review from line_items order by id desc limit 1`,
    );
    const read = async () => expect(await findExampleIds(ctx)).toMatchObject({ ...newest });
    return entriesOf(tx, read);
  });
  expect(result).toEqual({ line_items_publisher: few, line_items_publisher_approval: few });
});

test("closing a publisher's account looks for one campaign that runs and one that awaits its decision", async () => {
  const entries = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const own = (name: string) => ({ id: `md5('${name}' || n)::uuid`, campaign_id: `md5('${name}' || n)::uuid` });
    await copyRows(tx, "line_items", own("active"));
    await copyRows(tx, "line_items", { ...own("pending"), approval_status: "'pending'", approved_version: "null" });
    const ctx = { ...world.harbor, db: tx };
    const read = async () => expect(await listErasureBlockers(ctx)).toContain("running_campaigns");
    return entriesOf(tx, read);
  });
  expect(Object.keys(entries ?? {})).not.toEqual([]);
  expect({ line_items_publisher_status: 0, line_items_publisher_approval: 0, ...entries }).toEqual({
    line_items_publisher_status: few,
    line_items_publisher_approval: few,
  });
});

test("closing a publisher's account asks no campaign that is over", async () => {
  const entries = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const over = { campaign_id: "md5('campaign' || n)::uuid", completed_at: "now()" };
    await copyRows(tx, "line_items", { id: "md5('item' || n)::uuid", ...over });
    await tx.execute(sql`update line_items set publisher_paused_at = now() where campaign_id = ${id}`);
    const ctx = { ...world.harbor, db: tx };
    const read = async () => expect(await listErasureBlockers(ctx)).not.toContain("running_campaigns");
    return entriesOf(tx, read);
  });
  expect(entries).toEqual({ line_items_publisher_status: few, line_items_publisher_approval: few });
});

test("closing an account looks up the versions that await a decision by their keys", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const own = { campaign_id: "md5('campaign' || n)::uuid" };
    const expired = { start_date: "'2026-01-01'", end_date: "'2026-01-02'" };
    await copyRows(tx, "campaigns", { id: own.campaign_id, status: "'pending'" });
    await copyRows(tx, "campaign_versions", { ...own, ...expired });
    const undecided = { approval_status: "'pending'", approved_version: "null" };
    await copyRows(tx, "line_items", { ...own, id: "md5('item' || n)::uuid", ...undecided });
    await tx.execute(sql`update line_items set completed_at = now() where campaign_id = ${id}`);
    await tx.execute(sql`update campaigns set status = 'completed', completed_at = now() where id = ${id}`);
    const read = (by: typeof world.harbor | typeof world.northwind) => async () =>
      expect(await listErasureBlockers({ ...by, db: tx })).not.toContain("running_campaigns");
    return [
      await scansOf(tx, "campaign_versions", read(world.harbor)),
      await scansOf(tx, "campaign_versions", read(world.northwind)),
    ];
  });
  const byKey = { campaign_versions_campaign_id_number_pk: 3_000 };
  expect(scans).toEqual([byKey, byKey]);
});

test("closing an advertiser's account asks no campaign that is over", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const over = { status: "'completed'", completed_at: "now()" };
    await copyRows(tx, "campaigns", { id: "md5('campaign' || n)::uuid", ...over });
    await copyRows(tx, "line_items", {
      id: "md5('item' || n)::uuid",
      campaign_id: "md5('campaign' || n)::uuid",
      completed_at: "now()",
    });
    await tx.execute(sql`update campaigns set status = 'paused', paused_at = now() where id = ${id}`);
    const ctx = { ...world.northwind, db: tx };
    const read = async () => expect(await listErasureBlockers(ctx)).not.toContain("running_campaigns");
    return { campaigns: await scansOf(tx, "campaigns", read), items: await scansOf(tx, "line_items", read) };
  });
  expect(scans).toEqual({
    campaigns: { campaigns_advertiser_status: expect.any(Number) },
    items: { line_items_campaign_publisher: 1 },
  });
});

/** Fewer than there are copies, even with entries of transactions before that were rolled back. */
const few = expect.toSatisfy((count: number) => count < 100);

/** Returns how many entries of each index of the line items work reads, once it has marked those that are dead. */
async function entriesOf(tx: Database, work: () => Promise<unknown>) {
  await work();
  const found: Record<string, number> = {};
  for (const index of Object.keys(await scansOf(tx, "line_items", work)))
    found[index] = await entriesRead(tx, index, work);
  return found;
}

/** Returns how many entries of an index work read. */
async function entriesRead(tx: Database, index: string, work: () => Promise<unknown>) {
  const count = async () => {
    const query = sql`select pg_stat_get_xact_tuples_returned(${index}::regclass)::int as count`;
    return (await queryRows(tx, z.object({ count: z.number() }), query))[0]?.count ?? 0;
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

test("a publisher's balance reads the shares of the line items with deductions, not all that are held", async () => {
  const scans = await unanalyzed(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const shares = (lineItem: string, count: number, cents: number) =>
      tx.execute(sql`
        insert into revenue_shares (id, publisher_id, line_item_id, revision, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at)
        select uuidv7(), ${world.accountId("harbor")}, ${sql.raw(lineItem)}, n, ${world.today()}, ${cents}, ${cents}, 0, uuidv7(), now() from generate_series(1, ${count}) n`);
    await shares("md5('item' || n)::uuid", 3_000, 700);
    await shares("md5('corrected')::uuid", 1, -100);
    return scansOf(tx, "revenue_shares", async () => {
      expect(await getPayoutBalance({ ...world.harbor, db: tx })).toMatchObject({ available: -100 });
    });
  });
  // The deductions as of today and as of the next payout, and what the line item that has one now holds.
  expect(scans).toEqual({ revenue_shares_deductions: 2, revenue_shares_settlement: 1 });
});
