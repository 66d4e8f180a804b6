import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { compareDays, listAudienceDailyMetrics } from "#app/domain/analytics/compare-days.server.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { countRunningCampaigns } from "#app/domain/delivery/count-running-campaigns.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;

beforeAll(async () => {
  world = await createWorld(db());
  const changes = { budget: 90_000, daily_budget: 9_000, end_date: addDays(world.today(), 120) };
  const both = await world.aRunningCampaign({
    approvedBy: ["harbor", "fern"],
    audiences: ["hikers", "coffeeDrinkers"],
    changes,
  });
  const begun = addDays(world.today(), 1);
  world.advanceDays(40);
  const one = await world.aRunningCampaign({ changes });
  world.advanceDays(30);
  const today = world.today();
  // The first day of the period before, the last of it, the first of this one, and today.
  for (const [days, spendMicros] of [
    [59, 1_234_567],
    [30, 2_345_678],
    [29, 3_456_789],
    [0, 4_567_891],
  ] as const) {
    await world.deliver(both, { day: addDays(today, -days), spendMicros });
    await world.deliver(both, {
      day: addDays(today, -days),
      spendMicros,
      audienceId: world.audience("coffeeDrinkers"),
    });
  }
  // Before both.
  await world.deliver(both, { day: begun });
  await world.deliver(one, { day: addDays(today, -29), channel: "trade_desk", impressions: 500, clicks: 5 });
});

describe("the last thirty days", () => {
  test.each([
    ["an advertiser", () => world.northwind],
    ["a publisher", () => world.harbor],
    ["the other publisher", () => world.fern],
    ["an advertiser without delivery", () => world.brightside],
  ])("and the thirty before are the sums of the facts of %s", async (_, asked) => {
    const ctx = asked();
    const own =
      ctx.actor.kind === "publisher"
        ? sql`fact.publisher_id = ${ctx.actor.accountId}`
        : sql`campaign_id in (select id from campaigns where advertiser_id = ${ctx.actor.accountId})`;
    const factsOf = async (from: number, to: number) => {
      const [row] = await queryRows(
        db(),
        z.record(z.string(), z.string().nullable()),
        sql`
          select coalesce(sum(fact.impressions), 0)::text as impressions, coalesce(sum(fact.clicks), 0)::text as clicks,
            div(coalesce(sum(fact.spend_micros), 0), 10000)::text as spend, div(coalesce(sum(fact.spend_micros * commission_rate_bps), 0), 100000000)::text as earned,
            (sum(fact.revenue_micros) / nullif(sum(fact.spend_micros), 0))::text as roas
          from deliveries fact join line_items item on item.id = line_item_id
          where ${own} and day between ${addDays(world.today(), from)}::date and ${addDays(world.today(), to)}::date`,
      );
      return row ?? {};
    };
    const { days, previousDays, totals, previous } = await compareDays(ctx, (figures) => figures);
    for (const [shown, parts, facts] of [
      [totals, days, await factsOf(-29, 0)],
      [previous, previousDays, await factsOf(-59, -30)],
    ] as const) {
      expect(String(shown.impressions)).toBe(facts.impressions);
      expect(String(shown.clicks)).toBe(facts.clicks);
      expect(String(shown.spendCents)).toBe(facts.spend);
      expect(String(shown.earnedCents)).toBe(facts.earned);
      if (facts.roas) expect(shown.roas).toBeCloseTo(Number(facts.roas));
      else expect(shown.roas).toBeNull();
      expect(parts).toHaveLength(30);
      expect(parts.reduce((sum, { spendCents }) => sum + spendCents, 0)).toBe(shown.spendCents);
      expect(parts.reduce((sum, { earnedCents }) => sum + earnedCents, 0)).toBe(shown.earnedCents);
    }
    expect(days.at(-1)?.day).toBe(world.today());
    expect(previousDays.at(-1)?.day).toBe(addDays(days[0]?.day ?? world.today(), -1));
  });

  test("of an audience are its publisher's only", async () => {
    const days = await listAudienceDailyMetrics(world.harbor, world.audience("hikers"));
    expect(days.filter(({ impressions }) => impressions > 0).map(({ impressions }) => impressions)).toEqual([
      1_500, 1_000,
    ]);
    const others = await listAudienceDailyMetrics(world.fern, world.audience("hikers"));
    expect(others.every(({ impressions }) => impressions === 0)).toBe(true);
  });
});

test("a campaign counts as running on a day while at least one publisher runs it", async () => {
  const two = Array<number>(30).fill(2);
  expect(await countRunningCampaigns(world.northwind)).toEqual([2, ...two]);
  const [{ id = undefined } = {}] = await queryRows(
    db(),
    z.object({ id: columnValue(campaigns.id) }),
    sql`select campaign_id as id from line_items group by 1 having count(*) = 2`,
  );
  if (!id) throw new Error("there is a campaign of two publishers");
  await pauseLineItem(world.harbor, { id });
  expect((await countRunningCampaigns(world.northwind))?.at(-1)).toBe(2);
  await pauseLineItem(world.fern, { id });
  expect((await countRunningCampaigns(world.northwind))?.slice(-2)).toEqual([2, 1]);
  await resumeLineItem(world.fern, { id });
  await pauseCampaign(world.northwind, { id });
  world.advanceDays(2);
  expect((await countRunningCampaigns(world.northwind))?.slice(-3)).toEqual([1, 1, 1]);
  expect(await countRunningCampaigns(world.brightside)).toEqual(Array<number>(31).fill(0));
});
