import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type AnalyticsFilters, dimensions, dimensionsOf, performanceSorts } from "#app/domain/analytics/analytics.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import type { BreakdownRow } from "#app/domain/analytics/breakdown-matrix.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { rejectTooManyFacts } from "#app/domain/analytics/facts-limit.server.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { channels } from "#app/domain/campaigns/campaign.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { demoAudienceId } from "#db/seed/demo-audiences.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom } from "#tests/support/expect-domain-error.ts";
import {
  changeAnything,
  changesArbitrary,
  deliverAnything,
  type Fact,
  firstDay,
  lastDay,
  makeDeliveredWorld,
  readFacts,
} from "./delivered-world.ts";

const db = useDatabase();
let world: Awaited<ReturnType<typeof makeDeliveredWorld>>;
let parties: Ctx<TenantActor>[];
beforeAll(async () => {
  world = await makeDeliveredWorld(db());
  world.setNow(`${lastDay}T12:00:00Z`);
  parties = [world.northwind, world.brightside, world.harbor, world.fern];
});

const deliveries = fc.array(
  fc.tuple(fc.nat(1_000), fc.nat(10_000), fc.nat(40), fc.nat(5_000), fc.oneof(fc.nat(30_000), fc.nat(2_000_000_000))),
  { minLength: 1, maxLength: 150 },
);
const question = fc.record({
  who: fc.nat(3),
  from: fc.nat(430),
  days: fc.oneof(fc.nat(40), fc.nat(430)),
  group: fc.nat(4),
  split: fc.nat(4),
  sort: fc.constantFrom(undefined, ...performanceSorts),
  order: fc.constantFrom(undefined, "ascending" as const, "descending" as const),
  limits: fc.record({ groups: fc.integer({ min: 1, max: 5 }), parts: fc.integer({ min: 1, max: 5 }) }),
  channel: fc.option(fc.constantFrom(...channels), { freq: 3, nil: undefined }),
  category: fc.option(fc.constantFrom("Packs", "Footwear"), { freq: 3, nil: undefined }),
  campaign: fc.option(fc.constantFrom("packs" as const, "coffee" as const), { freq: 4, nil: undefined }),
});

type Amounts = { impressions: number; clicks: number; spendCents: number; revenueCents: number; earnedCents: number };

function addUp(rows: readonly Amounts[]): Amounts {
  const sumOf = (column: keyof Amounts) => rows.reduce((sum, row) => sum + row[column], 0);
  return {
    impressions: sumOf("impressions"),
    clicks: sumOf("clicks"),
    spendCents: sumOf("spendCents"),
    revenueCents: sumOf("revenueCents"),
    earnedCents: sumOf("earnedCents"),
  };
}

test("parts add up to their group and groups to the totals, and every row is the sum of its facts", async () => {
  await fc.assert(
    fc.asyncProperty(
      deliveries,
      changesArbitrary,
      fc.array(question, { minLength: 1, maxLength: 6 }),
      async (rows, changes, questions) => {
        await deliverAnything(db(), rows);
        await changeAnything(world, changes);
        const all = await readFacts(db());
        for (const { who, from, days, sort, order, limits, channel, category, campaign, ...places } of questions) {
          const ctx = parties[who] ?? world.northwind;
          const offered = dimensionsOf[ctx.actor.kind];
          const group = offered[places.group] ?? "campaign";
          const split = offered[places.split] ?? "channel";
          if (group === split) continue;
          const period = { from: addDays(firstDay, from), to: addDays(firstDay, from + days) };
          const filters: AnalyticsFilters = {
            ...(channel && { channel }),
            ...(category && { category }),
            ...(campaign && { campaign: world.campaigns[campaign] }),
          };
          const { groups, count } = await breakDownPerformance(ctx, {
            period,
            filters,
            group,
            split,
            sort,
            order,
            limits,
          });
          const { totals } = await compareTotals(ctx, { period, filters });
          expect(addUp(groups)).toEqual(addUp([totals]));
          for (const { parts, ...row } of groups) expect(addUp(parts)).toEqual(addUp([row]));

          const own = all.filter(
            (fact) =>
              fact.accounts.includes(ctx.actor.accountId) &&
              fact.day >= period.from &&
              fact.day <= period.to &&
              (!channel || fact.channel === channel) &&
              (!category || fact.category === category) &&
              (!campaign || fact.campaign === world.campaigns[campaign]),
          );
          expect(count).toBe(new Set(own.map((fact) => fact[group])).size);
          expect(groups.length).toBe(Math.min(count, limits.groups) + (count > limits.groups ? 1 : 0));
          const listed = groups.filter(({ isOthers }) => !isOthers).map(({ key }) => key);
          const isIn = (row: BreakdownRow, known: readonly (string | null)[], key: string | null) =>
            row.isOthers ? !known.includes(key) : row.key === key;
          const parts = groups.flatMap((row) => row.parts);
          const listedParts = [...new Set(parts.filter(({ isOthers }) => !isOthers).map(({ key }) => key))];
          for (const row of groups) {
            const inGroup = own.filter((fact) => isIn(row, listed, fact[group]));
            expectSums(row, inGroup);
            for (const part of row.parts) {
              expectSums(
                part,
                inGroup.filter((fact) => isIn(part, listedParts, fact[split])),
              );
            }
          }
        }
      },
    ),
    { numRuns: 25, seed: 20261123 },
  );
}, 60_000);

/** Counts are exact, and an amount differs by less than a cent from its sum. */
function expectSums(row: BreakdownRow, facts: readonly Fact[]): void {
  expect(row.impressions).toBe(facts.reduce((sum, fact) => sum + fact.impressions, 0));
  expect(row.conversions).toBe(facts.reduce((sum, fact) => sum + fact.conversions, 0));
  const spend = Number(facts.reduce((sum, fact) => sum + fact.spend, 0n)) / 10_000;
  const earned = Number(facts.reduce((sum, fact) => sum + fact.earned, 0n)) / 100_000_000;
  expect(Math.abs(row.spendCents - spend)).toBeLessThan(2);
  expect(Math.abs(row.earnedCents - earned)).toBeLessThan(2);
}

test("the highest values are listed, and the rest are others, which come last in any order", async () => {
  const period = { from: firstDay, to: lastDay };
  for (const order of ["ascending", "descending"] as const) {
    const { groups, count } = await breakDownPerformance(world.harbor, {
      period,
      group: "campaign",
      split: "channel",
      sort: "impressions",
      order,
      limits: { groups: 2, parts: 2 },
    });
    expect(count).toBeGreaterThan(2);
    expect(groups.map(({ name }) => name).at(-1)).toBe("Other campaigns");
    const [first, second] = groups;
    const difference = (first?.impressions ?? 0) - (second?.impressions ?? 0);
    expect(Math.sign(difference)).toBe(order === "ascending" ? -1 : 1);
    for (const { parts } of groups) expect(parts.filter(({ isOthers }) => isOthers).length).toBeLessThan(2);
  }
});

test("a publisher sees its own part of a campaign, and its own audiences only", async () => {
  const period = { from: firstDay, to: lastDay };
  const { groups } = await breakDownPerformance(world.fern, {
    period,
    group: "advertiser",
    split: "audience",
    limits: { groups: 10, parts: 10 },
  });
  const facts = (await readFacts(db())).filter(({ publisher }) => publisher === world.fern.actor.accountId);
  const keys = groups.flatMap(({ parts }) => parts.map(({ key }) => key));
  expect(new Set(keys)).toEqual(new Set(facts.map(({ audience }) => audience)));
  expect(groups.reduce((sum, row) => sum + row.impressions, 0)).toBe(
    facts.reduce((sum, { impressions }) => sum + impressions, 0),
  );
});

/** The dimensions whose keys name what an account has to do with. */
const counterparts = ["publisher", "advertiser", "audience", "campaign"] as const;

test.each([0, 1, 2, 3])(
  "every value that reader %d gets is of its own delivery, by whatever it groups",
  async (who) => {
    const ctx = parties[who] ?? world.northwind;
    await deliverAnything(
      db(),
      Array.from({ length: 60 }, (_, n): [number, number, number, number, number] => [n, n * 5, n, 100 + n, 7_001 * n]),
    );
    const period = { from: firstDay, to: lastDay };
    const own = (await readFacts(db())).filter(({ accounts }) => accounts.includes(ctx.actor.accountId));
    expect(own.length).toBeGreaterThan(0);
    for (const group of dimensions)
      for (const split of dimensions.filter((one) => one !== group)) {
        const { groups } = await breakDownPerformance(ctx, {
          period,
          group,
          split,
          limits: { groups: 50, parts: 50 },
        });
        for (const [dimension, rows] of [
          [group, groups],
          [split, groups.flatMap(({ parts }) => parts)],
        ] as const) {
          if (!counterparts.some((one) => one === dimension)) continue;
          expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(own.map((fact) => fact[dimension])));
        }
      }
  },
);

test("by its own side, an account is the only row", async () => {
  const period = { from: firstDay, to: lastDay };
  for (const ctx of parties) {
    const { rows } = await listPerformance(ctx, { period, group: ctx.actor.kind, limit: 50 });
    expect(rows.map(({ key }) => key)).toEqual([ctx.actor.accountId]);
    const { totals } = await compareTotals(ctx, { period });
    expect(rows[0]?.spendCents).toBe(totals.spendCents);
  }
});

describe("delivery without a roll-up", () => {
  const period = { from: firstDay, to: lastDay };
  const filters = { category: "Packs" };

  test.each<[string, Parameters<typeof rejectTooManyFacts>[1]]>([
    ["channel", { period, filters: { ...filters, channel: "dv360" }, group: "campaign" }],
    ["channel", { period, filters: { channel: "dv360" }, group: "campaign" }],
    ["audience", { period, filters: { audience: demoAudienceId("hikers") }, group: "campaign" }],
    ["split_by", { period, filters: {}, group: "campaign", split: "channel" }],
  ])("is refused beyond a number of facts, at %s", async (field, query) => {
    await deliverAnything(
      db(),
      Array.from({ length: 200 }, (_, n): [number, number, number, number, number] => [n, n, n, 100 + n, 7_001 * n]),
    );
    await rejectTooManyFacts(world.northwind, query);
    const error = await domainErrorFrom(rejectTooManyFacts(world.northwind, query, 1));
    expect([error.code, Object.keys(error.fields ?? {})]).toEqual(["invalid_input", [field]]);
  });

  test.each<[string, Parameters<typeof rejectTooManyFacts>[1]]>([
    ["a roll-up", { period, filters, group: "campaign" }],
    ["a roll-up of days", { period, filters, group: "day" }],
    ["a roll-up by category", { period, filters, group: "category", split: "channel" }],
    ["a roll-up of a category's audiences", { period, filters: { ...filters, channel: "dv360" }, group: "audience" }],
    ["an account's roll-up of totals", { period, filters: { ...filters, channel: "dv360" }, group: "all" }],
    ["an account's roll-up by channel", { period, filters: { audience: demoAudienceId("hikers") }, group: "channel" }],
    ["an account's roll-up", { period, filters: { channel: "dv360" }, group: "audience" }],
  ])("is not counted where there is %s", async (_, query) => {
    await rejectTooManyFacts(world.northwind, query, 0);
  });

  test("is not counted within a campaign", async () => {
    const query = { period, filters: { campaign: world.campaigns.packs }, group: "channel" } as const;
    await rejectTooManyFacts(world.northwind, query, 0);
  });
});
