import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type AnalyticsFilters, filterId, groupings, performanceSorts } from "#app/domain/analytics/analytics.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { exportPerformance } from "#app/domain/analytics/export-performance.server.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { listPerformance, type Performance } from "#app/domain/analytics/list-performance.server.ts";
import { previousPeriod } from "#app/domain/analytics/period.ts";
import { addDays, daysInclusive } from "#app/domain/calendar-date.ts";
import { channels } from "#app/domain/campaigns/campaign.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type CampaignId, newId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { deliverAnything, firstDay, lastDay, makeDeliveredWorld, readFacts } from "./delivered-world.ts";
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

function told({ impressions, clicks, conversions, spendCents, revenueCents, earnedCents }: Figures): Expected {
  return {
    counts: [impressions, clicks, conversions],
    cents: [BigInt(spendCents), BigInt(revenueCents), BigInt(earnedCents)],
  };
}

/** Random facts, and a random question about them. */
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

test("totals, rows, pages and export are the sums of the facts, whoever asks whatever", async () => {
  await fc.assert(
    fc.asyncProperty(facts, fc.array(question, { minLength: 1, maxLength: 6 }), async (rows, questions) => {
      await deliverAnything(db(), rows);
      const all = await readFacts(db());
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
        expect(told(totals)).toEqual(expectedTotals(all, asked));
        expect(told(previous)).toEqual(expectedTotals(all, { ...asked, period: previousPeriod(period) }));

        const table = { period, filters, group, sort, order };
        const { rows: listed, count } = await listPerformance(ctx, { ...table, limit: 1_000 });
        const expected = expectedRows(all, asked, group);
        expect(new Map(listed.map((row) => [row.key, told(row)]))).toEqual(expected);
        expect(count).toBe(expected.size);
        const added = listed.reduce((sum, row) => sum + row.spendCents, 0);
        expect(added).toBe(totals.spendCents);

        const middle = Math.floor(count / 2);
        const { rows: page } = await listPerformance(ctx, { ...table, limit: 7, offset: middle });
        expect(page).toEqual(listed.slice(middle, middle + 7));
        const exported: Performance[] = [];
        const sums = await exportPerformance(ctx, { ...table, take: async (piece) => void exported.push(...piece) });
        expect(exported).toEqual(listed);
        expect(sums).toEqual(totals);
      }
    }),
    { numRuns: 25, seed: 20261120 },
  );
  // What was delivered knows no budgets here; the sums are what counts.
  expect(Object.keys(await findBrokenInvariants(db())).filter((rule) => /sum|counter/.test(rule))).toEqual([]);
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

test("a campaign, an audience of somebody else answers as one that is not there", async () => {
  const foreign = { campaign: world.campaigns.coffee };
  const absent = { campaign: newId<typeof foreign.campaign>() };
  for (const group of groupings) {
    const ask = (filters: AnalyticsFilters) =>
      listPerformance(world.northwind, { period: whole, filters, group, limit: 50 });
    const none = await ask(absent);
    expect(none.rows.every((row) => row.impressions === 0)).toBe(true);
    expect(await ask(foreign)).toEqual(none);
    expect(await ask({ campaign: filterId<CampaignId>("1 or 1=1") })).toEqual(none);
    expect(await ask({ audience: world.audience("organicPantry") })).toEqual(none);
  }
  expect(await compareTotals(world.northwind, { period: whole, filters: foreign })).toEqual(
    await compareTotals(world.northwind, { period: whole, filters: absent }),
  );
  const options = (filters: AnalyticsFilters) => listFilterOptions(world.northwind, filters);
  expect(await options(foreign)).toEqual(await options(absent));
});

test("a campaign counts for the category of most of its products, the first by name of several", async () => {
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

test("filters offer what was sent to publishers, each side its own", async () => {
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

test("a leap day and the days that clocks change on are days like others", async () => {
  const days = await listPerformance(world.northwind, { period: whole, group: "day", limit: 1_000 });
  expect(days.count).toBe(daysInclusive(firstDay, lastDay));
  expect(days.rows.map(({ key }) => key)).toContain("2024-02-29");
  expect(days.rows.map(({ key }) => key)).toContain("2024-03-10");
  expect(days.rows.map(({ key }) => key)).toContain("2024-11-03");
});
