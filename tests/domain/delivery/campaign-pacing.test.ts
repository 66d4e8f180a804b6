import { beforeAll, expect, test } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { getCampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

test("an advertiser sees the spend of all publishers beside the plan, a publisher its own", async () => {
  const id = await world.aRunningCampaign({
    approvedBy: ["harbor", "fern"],
    audiences: ["hikers", "coffeeDrinkers"],
    changes: { budget: 1_000, daily_budget: 200 },
  });
  world.advanceDays(3);
  const yesterday = addDays(world.today(), -1);
  await world.deliver(id, { day: yesterday, spendMicros: 90_000_000 });
  await world.deliver(id, { day: yesterday, spendMicros: 60_000_000, audienceId: world.audience("coffeeDrinkers") });

  // Two of ten days are over.
  const pace = await getCampaignPacing(world.northwind, id);
  expect(pace).toMatchObject({ whole: true, state: "behind", plannedSoFar: 20_000, spentSoFar: 15_000 });
  expect(pace?.totalBudgetCents).toBe(100_000);
  expect(pace?.days).toHaveLength(10);
  expect(pace?.reason).toBeTruthy();

  expect(await getCampaignPacing(world.harbor, id)).toMatchObject({ whole: false, spentSoFar: 9_000 });
  expect(await getCampaignPacing(world.fern, id)).toMatchObject({ whole: false, spentSoFar: 6_000 });
  expect(await getCampaignPacing(world.brightside, id)).toBeUndefined();

  await pauseCampaign(world.northwind, { id });
  expect((await getCampaignPacing(world.northwind, id))?.reason).toBe("The campaign is not running (paused).");
});

test("the only publisher of a campaign sees all of its pace; nobody does before an approval", async () => {
  const id = await world.aLaunchedCampaign();
  expect(await getCampaignPacing(world.northwind, id)).toBeUndefined();
  expect(await getCampaignPacing(world.harbor, id)).toBeUndefined();
  const approved = await world.aRunningCampaign();
  expect(await getCampaignPacing(world.harbor, approved)).toMatchObject({ whole: true, state: "too_early" });
  expect(await getCampaignPacing(world.fern, approved)).toBeUndefined();
});

test("a flight of years is drawn with a few hundred points, its end included", async () => {
  const end = addDays(world.today(), 3_000);
  const id = await world.aRunningCampaign({ changes: { end_date: end } });
  world.advanceDays(2);
  const days = (await getCampaignPacing(world.northwind, id))?.days ?? [];
  expect(days.length).toBeLessThanOrEqual(367);
  expect(days.at(-1)?.day).toBe(end);
  expect(days.some(({ day }) => day === world.today())).toBe(true);
});
