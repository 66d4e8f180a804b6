import { beforeAll, expect, test } from "vitest";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

const audiences = ["hikers", "coffeeDrinkers"] as const;
const running = () => world.aRunningCampaign({ audiences, approvedBy: ["harbor", "fern"] });

test("a publisher's pause stops its own part only", async () => {
  const id = await running();
  await pauseLineItem(world.harbor, { id });
  expect(await world.partOf(world.harbor, id)).toBe("approved paused");
  expect(await world.partOf(world.fern, id)).toBe("approved active");
  expect(await world.statusOf(id)).toBe("active");
  await resumeLineItem(world.harbor, { id });
  expect(await world.partOf(world.harbor, id)).toBe("approved active");
});

test("an advertiser's pause stops all parts, and its resume starts them", async () => {
  const id = await running();
  await pauseCampaign(world.northwind, { id });
  expect(await world.statusOf(id)).toBe("paused");
  expect([await world.partOf(world.harbor, id), await world.partOf(world.fern, id)]).toEqual([
    "approved paused",
    "approved paused",
  ]);
  await resumeCampaign(world.northwind, { id });
  expect([await world.partOf(world.harbor, id), await world.partOf(world.fern, id)]).toEqual([
    "approved active",
    "approved active",
  ]);
});

test("a publisher cannot resume what only the advertiser paused, and is told so", async () => {
  const id = await running();
  await pauseCampaign(world.northwind, { id });
  await expectRefusal(resumeLineItem(world.harbor, { id }), "invalid_transition", /advertiser paused/);
});

test("what never ran cannot be resumed, and is told so", async () => {
  const id = await world.aLaunchedCampaign({ audiences });
  await expectRefusal(resumeLineItem(world.harbor, { id }), "invalid_transition", /cannot be resumed/);
});

test("an advertiser cannot resume what only publishers paused, and is told so", async () => {
  const id = await running();
  await pauseLineItem(world.harbor, { id });
  await resumeCampaign(world.northwind, { id });
  await pauseLineItem(world.fern, { id });
  await expectRefusal(resumeCampaign(world.northwind, { id }), "invalid_transition", /publisher paused/);
});

test("with both pauses each side ends its own", async () => {
  const id = await running();
  await pauseCampaign(world.northwind, { id });
  await pauseLineItem(world.harbor, { id });
  await resumeCampaign(world.northwind, { id });
  expect(await world.partOf(world.harbor, id)).toBe("approved paused");
  expect(await world.partOf(world.fern, id)).toBe("approved active");
  await pauseCampaign(world.northwind, { id });
  await resumeLineItem(world.harbor, { id });
  expect(await world.partOf(world.harbor, id)).toBe("approved paused");
  await resumeCampaign(world.northwind, { id });
  expect(await world.partOf(world.harbor, id)).toBe("approved active");
});

test("a yes to a paused campaign does not start it", async () => {
  const id = await world.aRunningCampaign({ audiences });
  await pauseCampaign(world.northwind, { id });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.partOf(world.fern, id)).toBe("approved paused");
  expect(await world.statusOf(id)).toBe("paused");
});

test("a publisher that comes back to a paused campaign is paused with it", async () => {
  const id = await running();
  const send = (words: Record<string, unknown>) =>
    changeCampaign(world.northwind, { id, changes: payload(words), send: true });
  await send({ selected_audiences: [world.audience("hikers")] });
  await pauseCampaign(world.northwind, { id });
  await send({ selected_audiences: audiences.map(world.audience) });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.partOf(world.fern, id)).toBe("approved paused");
  await resumeCampaign(world.northwind, { id });
  expect(await world.partOf(world.fern, id)).toBe("approved active");
});

test("a publisher that left during a pause and comes back after it runs", async () => {
  const id = await running();
  const send = (words: Record<string, unknown>) =>
    changeCampaign(world.northwind, { id, changes: payload(words), send: true });
  await pauseLineItem(world.fern, { id });
  await pauseCampaign(world.northwind, { id });
  await send({ selected_audiences: [world.audience("hikers")] });
  await resumeCampaign(world.northwind, { id });
  await send({ selected_audiences: audiences.map(world.audience) });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.partOf(world.fern, id)).toBe("approved active");
});

test("a pause ends with the last yes: a campaign that is pending again is not paused", async () => {
  const id = await world.aRunningCampaign();
  await pauseCampaign(world.northwind, { id });
  const changes = payload({ selected_audiences: [world.audience("coffeeDrinkers")] });
  await changeCampaign(world.northwind, { id, changes, send: true });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect([await world.statusOf(id), await world.partOf(world.fern, id)]).toEqual(["active", "approved active"]);
});
