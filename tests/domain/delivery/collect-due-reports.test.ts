import { sql } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import * as channelAdapters from "#app/domain/delivery/channels/adapters.server.ts";
import type { ChannelAdapter } from "#app/domain/delivery/channels/channel-adapter.ts";
import { sandboxSource } from "#app/domain/delivery/channels/sandbox/sandbox-day.ts";
import { collectDueReports } from "#app/domain/delivery/collect-due-reports.server.ts";
import { collectFromAdapter } from "#app/domain/delivery/collect-reports.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
  world.setNow("2026-11-20T00:00:30Z");
  await collect();
});

const collect = (isSimulated = true) => collectDueReports(world.job, { isSimulated });

async function byDay(id: CampaignId): Promise<Record<string, number>> {
  const rows = await queryRows(
    db(),
    z.object({ day: z.string(), spent: z.number() }),
    sql`
      select day::text, sum(spend_micros)::float8 / 1e6 as spent from deliveries
      where line_item_id in (select id from line_items where campaign_id = ${id}) group by 1 order by 1`,
  );
  return Object.fromEntries([...rows].map((row) => [row.day, row.spent]));
}

test("a campaign delivers more each hour, counted once however many processes collect", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: "2026-11-20", budget: 5_000 } });
  const seen: number[] = [];
  for (const at of ["00:59:59", "06:00:00", "18:10:00", "18:59:00", "23:00:00"]) {
    world.setNow(`2026-11-20T${at}Z`);
    await Promise.all([collect(), collect(), collect()]);
    seen.push((await byDay(id))["2026-11-20"] ?? 0);
  }
  expect(seen[0]).toBe(0);
  expect(seen[1]).toBeGreaterThan(0);
  expect(seen[2]).toBeGreaterThan(seen[1] ?? 0);
  expect(seen[3]).toBe(seen[2]);
  expect(seen[4]).toBeGreaterThan(seen[3] ?? 0);
  expect(await collect()).toBe(0);
});

test("while its process stops a report is left where it is, and the next process collects its span", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: "2026-11-21", budget: 5_000 } });
  world.setNow("2026-11-21T00:00:00Z");
  await collect();
  const stop = new AbortController();
  const ctx = { ...world.job, stopping: stop.signal };
  const sandbox = (await channelAdapters.loadChannelAdapters(world.job)).of("dv360");
  const span = { from: new Date("2026-11-21T00:00:00Z"), until: new Date("2026-11-21T06:00:00Z") };
  const interrupted: ChannelAdapter = {
    ...sandbox,
    fetchReport: async function* (...args) {
      for await (const rows of sandbox.fetchReport(...args)) {
        yield rows;
        stop.abort();
        yield rows;
      }
    },
  };
  expect(await collectFromAdapter(ctx, { adapter: interrupted, ...span })).toBeUndefined();
  const before = await byDay(id);
  world.setNow("2026-11-21T12:00:00Z");
  expect(await collectDueReports(ctx, { isSimulated: true })).toBe(0);
  expect(await byDay(id)).toEqual(before);
  expect(await collect()).toBeGreaterThan(0);
  expect((await byDay(id))["2026-11-21"]).toBeGreaterThan(before["2026-11-21"] ?? 0);
});

test("after days without a server the missed hours are collected, and paused ones stay empty, as if it had run", async () => {
  const ids: CampaignId[] = [];
  for (const secondCampaign of [false, true]) {
    const start = secondCampaign ? "2027-03-01" : "2027-02-01";
    world.setNow(`${start}T00:00:00Z`);
    await collect();
    const day = (n: number, hour = "00") => `${start.slice(0, 8)}${String(n).padStart(2, "0")}T${hour}:00:00Z`;
    const end = day(12).slice(0, 10);
    const changes = { start_date: start, end_date: end, budget: 2_200, daily_budget: 300 };
    const id = await world.aRunningCampaign({ changes });
    ids.push(id);
    world.setNow(day(3));
    if (!secondCampaign) await collect();
    await pauseCampaign(world.northwind, { id });
    world.setNow(day(5));
    if (!secondCampaign) await collect();
    await resumeCampaign(world.northwind, { id });
    for (let n = 6; n < 13; n += 1) {
      world.setNow(day(n));
      if (!secondCampaign) await collect();
    }
    world.setNow(day(14));
    await completeEndedCampaigns(world.job);
    await collect();
    expect(await world.statusOf(id)).toBe("completed");
  }
  const [firstCampaign, secondCampaign] = [await byDay(ids[0] ?? expect.fail()), await byDay(ids[1] ?? expect.fail())];
  const days = (of: object) => Object.keys(of).map((day) => Number(day.slice(8)));
  expect(days(firstCampaign)).toEqual([1, 2, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(days(secondCampaign)).toEqual(days(firstCampaign));
  const total = (of: Record<string, number>) => Object.values(of).reduce((sum, spent) => sum + spent, 0);
  expect(total(secondCampaign) / total(firstCampaign)).toBeCloseTo(1, 1);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("a spent campaign completes, and nothing is simulated where another source reports", async () => {
  world.setNow("2027-05-01T00:00:00Z");
  await collect();
  const changes = { start_date: "2027-05-01", end_date: "2027-05-20", budget: 100, daily_budget: 90 };
  const spent = await world.aRunningCampaign({ changes });
  const real = await world.aRunningCampaign({ changes });
  world.setNow("2027-05-01T02:00:00Z");
  await world.deliver(real, { source: "adserver", spendMicros: 1_000_000 });
  world.setNow("2027-05-21T00:00:00Z");
  await collect();
  const all = Object.values(await byDay(spent)).reduce((sum, one) => sum + one, 0);
  expect(all).toBeGreaterThan(99);
  expect(all).toBeLessThanOrEqual(100);
  expect(await byDay(real)).toEqual({ "2027-05-01": 1 });
  const [kept] = await queryRows(
    db(),
    z.object({ until: z.string() }),
    sql`
      select collected_until::text as until from channel_collections where source = ${sandboxSource}`,
  );
  expect(new Date(kept?.until ?? "").toISOString()).toBe("2027-05-21T00:00:00.000Z");
});

test("where delivery is not simulated, reported delivery is all that there is", async () => {
  world.setNow("2027-06-01T00:00:00Z");
  await collect();
  const id = await world.aRunningCampaign({ changes: { start_date: "2027-06-01", end_date: "2027-06-20" } });
  world.setNow("2027-06-03T00:00:00Z");
  expect(await collect(false)).toBe(0);
  expect(await byDay(id)).toEqual({});
  await world.deliver(id, { source: "adserver", spendMicros: 2_000_000 });
  expect(await byDay(id)).toEqual({ "2027-06-03": 2 });
});

test("reports that take long hold back neither vacuum nor a migration, and no other process collects the source", async () => {
  world.setNow("2027-07-01T00:00:00Z");
  await collect();
  world.setNow("2027-07-01T06:00:00Z");
  const sandbox = (await channelAdapters.loadChannelAdapters(world.job)).of("dv360");
  const seen: unknown[] = [];
  const slow: ChannelAdapter = {
    ...sandbox,
    // biome-ignore lint/correctness/useYield: a platform that has no rows.
    fetchReport: async function* () {
      seen.push(await db.owner().execute(holders), await collect());
    },
  };
  const holders = sql`
    select coalesce(backend_xid, backend_xmin)::text as held, (select count(*)::int from pg_locks
      where pid = activity.pid and relation = 'channel_collections'::regclass) as locks
    from pg_stat_activity activity where datname = current_database() and state = 'idle in transaction'`;
  const adapters = vi.spyOn(channelAdapters, "loadChannelAdapters");
  adapters.mockResolvedValueOnce({ of: () => slow, reporting: () => new Set([slow]) });
  onTestFinished(() => adapters.mockRestore());
  await collect();
  expect(seen).toEqual([[{ held: null, locks: 0 }], 0]);
});
