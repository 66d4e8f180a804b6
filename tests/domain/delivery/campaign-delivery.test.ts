import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { addDays } from "#app/domain/calendar-date.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { allocateCents } from "#app/domain/delivery/allocate-cents.ts";
import { frequencyOf } from "#app/domain/delivery/frequency.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;

beforeAll(async () => {
  world = await createWorld(db());
  id = await world.aRunningCampaign({
    approvedBy: ["harbor", "fern"],
    audiences: ["hikers", "campers", "coffeeDrinkers"],
    changes: { budget: 50_000, daily_budget: 5_000 },
  });
  world.advanceDays(6);
  const start = addDays(world.today(), -5);
  // Some of a cent each, so that rounding before adding would be seen.
  const row = { impressions: 1_000, clicks: 11, conversions: 2, spendMicros: 3_333_335 };
  await world.deliver(id, { ...row, day: start, reach: 400 });
  await world.deliver(id, { ...row, day: start, channel: "trade_desk", spendMicros: 9_999_999 });
  await world.deliver(id, { ...row, day: addDays(start, 3), audienceId: world.audience("campers") });
  await world.deliver(id, { ...row, day: addDays(start, 4), audienceId: world.audience("coffeeDrinkers"), clicks: 7 });
});

describe("a campaign's delivery", () => {
  test.each([
    ["its advertiser", () => world.northwind],
    ["the one publisher", () => world.harbor],
    ["the other publisher", () => world.fern],
  ])("is for %s the sum of its own facts, by day, channel and audience", async (_, asked) => {
    const ctx = asked();
    const own = ctx.actor.kind === "publisher" ? sql`fact.publisher_id = ${ctx.actor.accountId}` : sql`true`;
    const sumsBy = async (key: "day" | "channel" | "audience_id") => {
      const rows = await queryRows(
        db(),
        z.object({ key: z.string(), text: z.string() }),
        sql`
          select ${sql.raw(key)}::text as key, concat_ws(' ', sum(impressions), sum(clicks), sum(conversions), round(sum(spend_micros) / 1000000)) as text
          from deliveries fact where line_item_id in (select id from line_items where campaign_id = ${id}) and ${own} group by 1 order by 1`,
      );
      return rows.map((row) => [row.key, row.text]);
    };
    const { days, channels, audiences } = await getCampaignDelivery(ctx, id);
    const delivered = days.filter(({ impressions }) => impressions > 0);
    expect(delivered.map((row) => [row.day, textOf(row)])).toEqual(await sumsBy("day"));
    expect(channels.map((row) => [row.channel, textOf(row)]).sort()).toEqual(await sumsBy("channel"));
    expect(audiences.map((row) => [row.id, textOf(row)]).sort()).toEqual(await sumsBy("audience_id"));
    const [whole] = await queryRows(
      db(),
      z.object({ cents: z.string() }),
      sql`
        select div(sum(spend_micros), 10000)::text as cents from deliveries fact where line_item_id in (select id from line_items where campaign_id = ${id}) and ${own}`,
    );
    for (const parts of [days, channels, audiences]) {
      expect(parts.reduce((total, { spendCents }) => total + spendCents, 0)).toBe(Number(whole?.cents));
    }
  });

  test("includes an empty day between two others", async () => {
    const { days } = await getCampaignDelivery(world.northwind, id);
    expect(days.map(({ impressions }) => impressions)).toEqual([2_000, 0, 0, 1_000, 1_000]);
  });

  test("shows for each audience whom it reached, and in how many impressions", async () => {
    const { audiences } = await getCampaignDelivery(world.harbor, id);
    expect(audiences.map((row) => [row.name, row.reach, row.reachedImpressions]).sort()).toEqual([
      ["Camping gear repeat buyers", 0, 0],
      ["Weekend hikers", 400, 1_000],
    ]);
  });

  test("is compared with the cap of the running version, whatever is pending", async () => {
    const capped = await world.aRunningCampaign({ changes: { frequency_cap_impressions: 4 } });
    await updateCampaign(world.northwind, {
      id: capped,
      changes: campaignChanges({ frequency_cap_impressions: 9 }),
      send: true,
    });
    for (const ctx of [world.northwind, world.harbor]) {
      expect((await getCampaignDelivery(ctx, capped)).cap).toEqual({ impressions: 4, period: "day" });
    }
  });

  test("is not accessible to other accounts", async () => {
    const nothing = { days: [], channels: [], audiences: [], creatives: [], cap: null };
    expect(await getCampaignDelivery(world.brightside, id)).toEqual(nothing);
    const other = await world.aRunningCampaign({ audiences: ["hikers"] });
    await world.deliver(id, { day: addDays(world.today(), -2) });
    expect(await getCampaignDelivery(world.fern, other)).toEqual(nothing);
  });

  test("shows an advertiser the people reached only when they are many, and in two digits", async () => {
    const reached = await world.aRunningCampaign({ audiences: ["hikers"] });
    world.advanceDays(2);
    for (const [reach, shownReach] of [
      [999, 0],
      [1_000, 1_000],
      [1_349, 1_300],
    ] as const) {
      await world.deliver(reached, { impressions: 2_000, day: addDays(world.today(), -1), reach });
      const reachShownTo = async (ctx: typeof world.northwind | typeof world.harbor) =>
        (await getCampaignDelivery(ctx, reached)).audiences.map((row) => row.reach);
      expect(await reachShownTo(world.northwind)).toEqual([shownReach]);
      expect(await reachShownTo(world.harbor)).toEqual([reach]);
    }
  });
});

test("the frequency is that of the people reached, where a source reports them", () => {
  expect(frequencyOf({ reach: 400, reachedImpressions: 1_000 })).toBe(2.5);
  expect(frequencyOf({ reach: 0, reachedImpressions: 0 })).toBeNull();
});

test("whole cents add up to those of the sum, and none is off by a cent", () => {
  const micros = fc.bigInt({ min: 0n, max: 9_000_000_000_000n });
  fc.assert(
    fc.property(fc.array(micros, { maxLength: 40 }), (parts) => {
      const cents = allocateCents(parts);
      expect(cents.reduce((sum, each) => sum + each, 0)).toBe(
        Number(parts.reduce((sum, part) => sum + part, 0n) / 10_000n),
      );
      expect(cents.every((each, index) => Math.abs(each - Number(parts[index]) / 10_000) < 1)).toBe(true);
    }),
  );
});

function textOf(row: { impressions: number; clicks: number; conversions: number; spendCents: number }): string {
  return [row.impressions, row.clicks, row.conversions, Math.round(row.spendCents / 100)].join(" ");
}
