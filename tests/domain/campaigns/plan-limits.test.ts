import { beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import { countLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

/** What `require-plan-room.server.ts` says, by those who ask it. Each test begins with no running campaign: all before are over. */
beforeEach(async () => {
  world.passDays(30);
  await completeEndedCampaigns(world.job);
  await world.subscribe("fern", "enterprise");
  await world.subscribe("harbor", "starter");
});

async function running(count: number) {
  const ids = [];
  for (let index = 0; index < count; index += 1) ids.push(await world.aRunningCampaign());
  return ids;
}

const managed = () =>
  createManagedCampaign(
    world.harbor,
    managedCampaignSchema.parse({ ...world.complete(), advertiser_id: world.accountId("northwind") }),
  );

test("starter allows five, and the sixth says how to have more", async () => {
  await running(5);
  const id = await world.aLaunchedCampaign();
  await expectRefusal(reviewCampaign(world.harbor, { id, action: "approve" }), "limit_reached", /5 campaigns.*Upgrade/);
  expect(await world.partOf(world.harbor, id)).toBe("pending pending");
  await expectRefusal(managed(), "limit_reached");
  await reviewCampaign(world.harbor, { id, action: "reject" });
});

test("another publisher's campaigns take no place", async () => {
  await running(5);
  await world.subscribe("fern", "starter");
  const id = await world.aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.partOf(world.fern, id)).toMatch(/^approved/);
});

test("without a subscription there is room for one campaign; enterprise has no limit", async () => {
  await world.subscribe("harbor", undefined);
  await running(1);
  const id = await world.aLaunchedCampaign();
  await expectRefusal(reviewCampaign(world.harbor, { id, action: "approve" }), "limit_reached", /one campaign.*Choose/);
  await expectRefusal(managed(), "limit_reached");
  await world.subscribe("harbor", "enterprise");
  await running(5);
  await reviewCampaign(world.harbor, { id, action: "approve" });
});

test("paused and managed campaigns take a place, completed ones give it back", async () => {
  const [first] = await running(4);
  if (first) await pauseLineItem(world.harbor, { id: first });
  await managed();
  const id = await world.aLaunchedCampaign({ changes: { end_date: addDays(world.today(), 40) } });
  await expectRefusal(reviewCampaign(world.harbor, { id, action: "approve" }), "limit_reached");
  world.passDays(30);
  await completeEndedCampaigns(world.job);
  await reviewCampaign(world.harbor, { id, action: "approve" });
});

test("a change of a running campaign takes no second place", async () => {
  const [id] = await running(5);
  if (!id) throw new Error("no campaign");
  await changeCampaign(world.northwind, { id, changes: payload({ budget: 7_000 }), send: true });
  await reviewCampaign(world.harbor, { id, action: "approve" });
});

test.each([
  ["starter", 4],
  [undefined, 0],
] as const)("ten approvals at once on one free place: one, with plan %s", async (plan, taken) => {
  await world.subscribe("harbor", plan);
  await running(taken);
  const ids = await Promise.all(Array.from({ length: 10 }, () => world.aLaunchedCampaign()));
  const before = (await countLineItems(world.harbor)).management.active;
  const done = await Promise.allSettled(ids.map((id) => reviewCampaign(world.harbor, { id, action: "approve" })));
  expect(done.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const one of done) {
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "limit_reached" });
  }
  expect((await countLineItems(world.harbor)).management.active).toBe(before + 1);
});
