import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AnalyticsFilters,
  groupings,
  intervals,
  parseFilterId,
  performanceSorts,
} from "#app/domain/analytics/analytics.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { exportPerformance } from "#app/domain/analytics/export-performance.server.ts";
import { listCampaignMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { listIntervals, listPreviousIntervals } from "#app/domain/analytics/list-intervals.server.ts";
import {
  listDailyPerformance,
  listPerformance,
  type Performance,
} from "#app/domain/analytics/list-performance.server.ts";
import { previousPeriod } from "#app/domain/analytics/period.ts";
import { addDays, daysInclusive } from "#app/domain/calendar-date.ts";
import { channels } from "#app/domain/campaigns/campaign.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type AudienceId, type CampaignId, newId } from "#app/domain/ids.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { audiences } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import {
  changeAnything,
  changesArbitrary,
  deliverAnything,
  firstDay,
  lastDay,
  makeDeliveredWorld,
  readFacts,
} from "./delivered-world.ts";
import { type Expected, expectedRows, expectedTotals } from "./expected.ts";

const db = useDatabase();
let world: Awaited<ReturnType<typeof makeDeliveredWorld>>;
let everybody: Ctx<TenantActor>[];
beforeAll(async () => {
  world = await makeDeliveredWorld(db());
  // Questions are about days before, of, and after today.
  world.setNow(`${lastDay}T12:00:00Z`);
  everybody = [world.northwind, world.brightside, world.harbor, world.fern];
});

const whole = { from: firstDay, to: lastDay };

function toExpected({
  impressions,
  clicks,
  conversions,
  spendCents,
  revenueCents,
  earnedCents,
}: DeliveryMetrics): Expected {
  return {
    counts: [impressions, clicks, conversions],
    cents: [BigInt(spendCents), BigInt(revenueCents), BigInt(earnedCents)],
  };
}

/** Random facts, and a random query of them. */
const facts = fc.array(
  fc.tuple(fc.nat(1_000), fc.nat(10_000), fc.nat(40), fc.nat(5_000), fc.oneof(fc.nat(30_000), fc.nat(2_000_000_000))),
  { minLength: 1, maxLength: 120 },
);
const question = fc.record({
  who: fc.nat(3),
  from: fc.nat(430),
  days: fc.oneof(fc.nat(40), fc.nat(430)),
  group: fc.constantFrom(...groupings),
  sort: fc.constantFrom(undefined, ...performanceSorts),
  order: fc.constantFrom(undefined, "ascending" as const, "descending" as const),
  campaign: fc.option(fc.constantFrom("packs" as const, "tie" as const, "plain" as const, "coffee" as const), {
    freq: 3,
    nil: undefined,
  }),
  audience: fc.option(fc.constantFrom("hikers" as const, "campers" as const, "coffeeDrinkers" as const), {
    freq: 3,
    nil: undefined,
  }),
  channel: fc.option(fc.constantFrom(...channels), { freq: 3, nil: undefined }),
  category: fc.option(fc.constantFrom("Packs", "Footwear", "No such"), { freq: 3, nil: undefined }),
});

test("totals, rows, pages and export are the sums of the facts, for any query of any account", async () => {
  await fc.assert(
    fc.asyncProperty(
      facts,
      changesArbitrary,
      fc.array(question, { minLength: 1, maxLength: 6 }),
      async (rows, changes, questions) => {
        await deliverAnything(db(), rows);
        await changeAnything(world, changes);
        const all = await readFacts(db());
        for (const ctx of everybody) {
          const { rows: categories } = await listPerformance(ctx, { period: whole, group: "category", limit: 50 });
          const asked = { account: ctx.actor.accountId, period: whole, filters: {} };
          expect(new Map(categories.map((row) => [row.key, toExpected(row)]))).toEqual(
            expectedRows(all, asked, "category"),
          );
        }
        for (const { who, from, days, group, sort, order, campaign, audience, channel, category } of questions) {
          const ctx = everybody[who] ?? world.northwind;
          const start = addDays(firstDay, from);
          const period = { from: start, to: addDays(start, days) };
          const filters: AnalyticsFilters = {
            ...(campaign && { campaign: world.campaigns[campaign] }),
            ...(audience && { audience: world.audience(audience) }),
            ...(channel && { channel }),
            ...(category !== undefined && { category }),
          };
          const asked = { account: ctx.actor.accountId, period, filters };
          const { totals, previous } = await compareTotals(ctx, { period, filters });
          expect(toExpected(totals)).toEqual(expectedTotals(all, asked));
          expect(toExpected(previous)).toEqual(expectedTotals(all, { ...asked, period: previousPeriod(period) }));

          const table = { period, filters, group, sort, order };
          const { rows: listed, count } = await listPerformance(ctx, { ...table, limit: 1_000 });
          const expected = expectedRows(all, asked, group);
          expect(new Map(listed.map((row) => [row.key, toExpected(row)]))).toEqual(expected);
          expect(count).toBe(expected.size);
          const added = listed.reduce((sum, row) => sum + row.spendCents, 0);
          expect(added).toBe(totals.spendCents);

          const middle = Math.floor(count / 2);
          const { rows: page } = await listPerformance(ctx, { ...table, limit: 7, offset: middle });
          expect(page).toEqual(listed.slice(middle, middle + 7));
          const exported: Performance[] = [];
          const sums = await inSnapshot(ctx, (tx) =>
            exportPerformance(tx, { ...table, onRows: async (piece) => void exported.push(...piece) }),
          );
          expect(exported).toEqual(listed);
          expect(sums).toEqual(totals);
        }
      },
    ),
    { numRuns: 25, seed: 20261120 },
  );
  // What was delivered knows no budgets here; the sums are what counts.
  expect(Object.keys(await findBrokenInvariants(db())).filter((rule) => /sum|counter|roll-up/.test(rule))).toEqual([]);
}, 60_000);

describe("rows are sorted", () => {
  test.each(performanceSorts)("by %s, both ways", async (sort) => {
    const sortedValue = (row: Performance): number | string | null => {
      if (sort === "name") return row.name;
      if (sort === "ctr") return row.ctr;
      if (sort === "roas") return row.roas;
      const cents = { spend: row.spendCents, revenue: row.revenueCents, earnings: row.earnedCents };
      return sort in cents ? cents[sort as keyof typeof cents] : row[sort as "clicks"];
    };
    const asked = { period: whole, group: "campaign" as const, sort, limit: 100 };
    const up = (await listPerformance(world.harbor, { ...asked, order: "ascending" })).rows.map(sortedValue);
    const down = (await listPerformance(world.harbor, { ...asked, order: "descending" })).rows.map(sortedValue);
    expect(up.length).toBeGreaterThan(1);
    expect(down).toEqual([...up].reverse());
    expect([...up].sort((one, other) => ((one ?? 0) < (other ?? 0) ? -1 : 1))).toEqual(up);
  });
});

test("channels are sorted by their names, not by their keys", async () => {
  const rows = channels.map((_, index): [number, number, number, number, number] => [0, 10, index, 1_000, 5_000_000]);
  await deliverAnything(db(), rows);
  const asked = { period: whole, group: "channel" as const, sort: "name" as const, limit: 100 };
  const listed = (await listPerformance(world.northwind, asked)).rows.map(({ name }) => name);
  expect(listed.length).toBeGreaterThan(1);
  expect(listed).toEqual([...listed].sort());
  expect(listed).toEqual(expect.arrayContaining(["TikTok", "The Trade Desk"]));
});

/** A query of the time of an account, in intervals. */
const timeline = fc.record({
  who: fc.nat(3),
  from: fc.nat(430),
  days: fc.nat(200),
  interval: fc.constantFrom(...intervals),
});

test("weeks and months are the sums of their days, of this period and of the one before, and averages those of the complete ones", async () => {
  await fc.assert(
    fc.asyncProperty(facts, fc.array(timeline, { minLength: 1, maxLength: 5 }), async (rows, questions) => {
      await deliverAnything(db(), rows);
      for (const { who, from, days, interval } of questions) {
        const ctx = everybody[who] ?? world.northwind;
        const start = addDays(firstDay, from);
        const period = { from: start, to: addDays(start, days) };
        const read = (asked: typeof period) => listDailyPerformance(ctx, { period: asked });
        const sumUp = (of: readonly DeliveryMetrics[]) => ({
          impressions: of.reduce((sum, row) => sum + row.impressions, 0),
          clicks: of.reduce((sum, row) => sum + row.clicks, 0),
          spend: of.reduce((sum, row) => sum + row.spendCents, 0),
          earned: of.reduce((sum, row) => sum + row.earnedCents, 0),
        });
        const { intervals: listed, average } = await listIntervals(ctx, { period, interval });
        const daily = await read(period);
        const dailyBefore = await read(previousPeriod(period));
        const before = await listPreviousIntervals(ctx, { period, interval });
        expect(before).toHaveLength(listed.length);
        for (const [index, one] of listed.entries()) {
          const place = daysInclusive(period.from, one.from) - 1;
          const length = daysInclusive(one.from, one.to);
          expect(sumUp([one])).toEqual(sumUp(daily.slice(place, place + length)));
          expect(sumUp([before[index] ?? one])).toEqual(sumUp(dailyBefore.slice(place, place + length)));
          expect(one.isPartial).toBe(
            (interval === "week" && length < 7) ||
              (interval === "month" && !(one.from.endsWith("-01") && addDays(one.to, 1).endsWith("-01"))) ||
              (one.from <= lastDay && one.to >= lastDay),
          );
        }
        expect(sumUp(listed)).toEqual(sumUp(daily));
        const complete = listed.filter(({ isPartial }) => !isPartial);
        const { impressions, clicks, spend } = sumUp(complete);
        if (complete.length === 0) expect(average).toBeNull();
        else
          expect(average).toMatchObject({
            count: complete.length,
            impressions: impressions / complete.length,
            spendCents: Math.round(spend / complete.length),
            ctr: impressions === 0 ? 0 : expect.closeTo((clicks / impressions) * 100, 8),
          });
      }
    }),
    { numRuns: 15, seed: 20261123 },
  );
}, 60_000);

test("another account's campaign or audience gives the same result as an unknown one", async () => {
  const foreign = { campaign: world.campaigns.coffee };
  const absent = { campaign: newId<typeof foreign.campaign>() };
  for (const group of groupings) {
    const ask = (filters: AnalyticsFilters) =>
      listPerformance(world.northwind, { period: whole, filters, group, limit: 50 });
    const none = await ask(absent);
    expect(none.rows.every((row) => row.impressions === 0)).toBe(true);
    expect(await ask(foreign)).toEqual(none);
    expect(await ask({ campaign: parseFilterId<CampaignId>("1 or 1=1") })).toEqual(none);
    expect(await ask({ audience: world.audience("organicPantry") })).toEqual(none);
  }
  expect(await compareTotals(world.northwind, { period: whole, filters: foreign })).toEqual(
    await compareTotals(world.northwind, { period: whole, filters: absent }),
  );
  const options = (filters: AnalyticsFilters) => listFilterOptions(world.northwind, filters);
  expect(await options(foreign)).toEqual(await options(absent));
});

test("a campaign counts for the category of most of its products, the first by name on a tie", async () => {
  const { rows } = await listPerformance(world.northwind, {
    period: whole,
    group: "category",
    sort: "name",
    limit: 10,
  });
  expect(rows.map(({ key, name }) => [key, name])).toEqual([
    ["Footwear", "Footwear"],
    ["Packs", "Packs"],
    [null, "No products"],
  ]);
});

test("filters offer what was sent to publishers, to each party its own", async () => {
  const labels = async (ctx: Ctx<TenantActor>) => {
    const { campaigns, audiences, categories } = await listFilterOptions(ctx, {});
    return [campaigns, audiences, categories].map((options) => options.map(({ label }) => label));
  };
  expect(await labels(world.northwind)).toEqual([
    ['=Tents, "tied"', "Packs", "Plain"],
    expect.arrayContaining([]),
    ["Footwear", "Packs"],
  ]);
  expect((await labels(world.brightside))[0]).toEqual(["Coffee"]);
  expect((await labels(world.fern))[0]).toEqual(["Coffee", "Packs"]);
  expect((await labels(world.fern))[1]).toHaveLength(1);
  expect((await labels(world.northwind))[1]).toHaveLength(3);
});

test("filters offer what is filtered by, also where nothing was delivered", async () => {
  const labels = async (ctx: Ctx<TenantActor>, filters: AnalyticsFilters) => {
    const options = await listFilterOptions(ctx, filters);
    return [...options.audiences, ...options.categories].map(({ label }) => label);
  };
  const nameOf = async (id: AudienceId) => {
    const [row] = await db().select({ name: audiences.name }).from(audiences).where(eq(audiences.id, id));
    return row?.name ?? expect.fail();
  };
  const unused = world.audience("organicPantry");
  const name = await nameOf(unused);
  expect(await labels(world.northwind, {})).not.toContain(name);
  expect(await labels(world.northwind, { audience: unused })).toContain(name);
  expect(await labels(world.fern, { audience: unused })).toContain(name);
  expect(await labels(world.harbor, { audience: unused })).not.toContain(name);
  await db().update(audiences).set({ status: "archived" }).where(eq(audiences.id, unused));
  expect(await labels(world.northwind, { audience: unused })).not.toContain(name);
  await db().update(audiences).set({ status: "ready" }).where(eq(audiences.id, unused));
  expect(await labels(world.northwind, { category: "Stoves" })).toEqual([
    ...(await labels(world.northwind, {})),
    "Stoves",
  ]);
  expect((await labels(world.northwind, { category: "Packs" })).filter((label) => label === "Packs")).toHaveLength(1);
});

test("leap days and days with a clock change are days like others", async () => {
  const days = await listPerformance(world.northwind, { period: whole, group: "day", limit: 1_000 });
  expect(days.count).toBe(daysInclusive(firstDay, lastDay));
  expect(days.rows.map(({ key }) => key)).toContain("2024-02-29");
  expect(days.rows.map(({ key }) => key)).toContain("2024-03-10");
  expect(days.rows.map(({ key }) => key)).toContain("2024-11-03");
});

test("a campaign whose advertiser cleared its name is untitled in rows, filters and marks, and its publisher keeps the name", async () => {
  const id = world.campaigns.plain;
  await deliverAnything(
    db(),
    Array.from({ length: 10 }, (_, place) => [place, 0, 0, 100, 10_000]),
  );
  await updateCampaign(world.northwind, { id, changes: { name: "" } });
  const filters = { campaign: id };
  const launched = { from: addDays(world.launchedOn, -1), to: addDays(world.launchedOn, 1) };
  const namesFor = async (ctx: Ctx<TenantActor>) => {
    const { rows } = await listPerformance(ctx, { period: whole, group: "campaign", limit: 50 });
    const { groups } = await breakDownPerformance(ctx, {
      period: whole,
      filters,
      group: "campaign",
      split: "channel",
      limits: { groups: 5, parts: 5 },
    });
    const { campaigns } = await listFilterOptions(ctx, {});
    const { marks } = await listCampaignMarks(ctx, { period: launched, filters });
    return [
      rows.find(({ key }) => key === id)?.name,
      groups[0]?.name,
      campaigns.find(({ value }) => value === id)?.label,
      marks[0]?.campaignName,
    ];
  };
  expect(await namesFor(world.northwind)).toEqual(Array(4).fill("Untitled Campaign"));
  expect(await namesFor(world.harbor)).toEqual(Array(4).fill("Plain"));
});
