import { beforeAll, expect, test } from "vitest";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const audiences = ["hikers", "coffeeDrinkers"] as const;
const running = () => world.aRunningCampaign({ audiences, approvedBy: ["harbor", "fern"] });

test("a publisher's pause stops its own line item only", async () => {
  const id = await running();
  await pauseLineItem(world.harbor, { id });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved paused");
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved active");
  expect(await world.statusOf(id)).toBe("active");
  await resumeLineItem(world.harbor, { id });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved active");
});

test("an advertiser's pause stops all line items, and its resume starts them", async () => {
  const id = await running();
  await pauseCampaign(world.northwind, { id });
  expect(await world.statusOf(id)).toBe("paused");
  expect([await world.lineItemStatus(world.harbor, id), await world.lineItemStatus(world.fern, id)]).toEqual([
    "approved paused",
    "approved paused",
  ]);
  await resumeCampaign(world.northwind, { id });
  expect([await world.lineItemStatus(world.harbor, id), await world.lineItemStatus(world.fern, id)]).toEqual([
    "approved active",
    "approved active",
  ]);
});

test("a publisher cannot resume what only the advertiser paused, and gets the reason", async () => {
  const id = await running();
  await pauseCampaign(world.northwind, { id });
  await expectDomainError(resumeLineItem(world.harbor, { id }), "invalid_transition", /advertiser paused/);
});

test("a campaign that never ran cannot be resumed, and the reason is returned", async () => {
  const id = await world.aLaunchedCampaign({ audiences });
  await expectDomainError(resumeLineItem(world.harbor, { id }), "invalid_transition", /can't be resumed/);
});

test("an advertiser cannot resume what only publishers paused, and gets the reason", async () => {
  const id = await running();
  await pauseLineItem(world.harbor, { id });
  await resumeCampaign(world.northwind, { id });
  await pauseLineItem(world.fern, { id });
  await expectDomainError(resumeCampaign(world.northwind, { id }), "invalid_transition", /publisher paused/);
});

test("with both pauses each party ends its own", async () => {
  const id = await running();
  await pauseCampaign(world.northwind, { id });
  await pauseLineItem(world.harbor, { id });
  await resumeCampaign(world.northwind, { id });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved paused");
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved active");
  await pauseCampaign(world.northwind, { id });
  await resumeLineItem(world.harbor, { id });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved paused");
  await resumeCampaign(world.northwind, { id });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved active");
});

test("approving a paused campaign does not start it", async () => {
  const id = await world.aRunningCampaign({ audiences });
  await pauseCampaign(world.northwind, { id });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved paused");
  expect(await world.statusOf(id)).toBe("paused");
});

test("a publisher that is added again to a paused campaign is paused with it", async () => {
  const id = await running();
  const send = (changes: Record<string, unknown>) =>
    updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
  await send({ selected_audiences: [world.audience("hikers")] });
  await pauseCampaign(world.northwind, { id });
  await send({ selected_audiences: audiences.map(world.audience) });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved paused");
  await resumeCampaign(world.northwind, { id });
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved active");
});

test("a publisher removed during a pause and added after it runs", async () => {
  const id = await running();
  const send = (changes: Record<string, unknown>) =>
    updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
  await pauseLineItem(world.fern, { id });
  await pauseCampaign(world.northwind, { id });
  await send({ selected_audiences: [world.audience("hikers")] });
  await resumeCampaign(world.northwind, { id });
  await send({ selected_audiences: audiences.map(world.audience) });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved active");
});

test("a pause ends with the last approval: a campaign that is pending again is not paused", async () => {
  const id = await world.aRunningCampaign();
  await pauseCampaign(world.northwind, { id });
  const changes = campaignChanges({ selected_audiences: [world.audience("coffeeDrinkers")] });
  await updateCampaign(world.northwind, { id, changes, send: true });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect([await world.statusOf(id), await world.lineItemStatus(world.fern, id)]).toEqual(["active", "approved active"]);
});
