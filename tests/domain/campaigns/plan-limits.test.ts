import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { describePlanGain, planTypes } from "#app/domain/billing/plan.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { updateManagedCampaign } from "#app/domain/campaigns/managed/update-managed-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitUntilBlockedOrDone } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/**
 * What `require-plan-capacity.server.ts` says, by those who ask it. Each test begins with no running campaign: all
 * before are over.
 */
beforeEach(async () => {
  world.advanceDays(30);
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

test("starter allows five, and the sixth gets a message with the way to more", async () => {
  await running(5);
  const id = await world.aLaunchedCampaign();
  await expectDomainError(
    reviewCampaign(world.harbor, { id, action: "approve" }),
    "limit_reached",
    /5 campaigns.*Upgrade/,
  );
  expect(await world.lineItemStatus(world.harbor, id)).toBe("pending pending");
  await expectDomainError(managed(), "limit_reached");
  await reviewCampaign(world.harbor, { id, action: "reject" });
});

test("another publisher's campaigns do not count", async () => {
  await running(5);
  await world.subscribe("fern", "starter");
  const id = await world.aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect(await world.lineItemStatus(world.fern, id)).toMatch(/^approved/);
});

test("without a subscription one campaign is allowed; enterprise has no limit", async () => {
  await world.subscribe("harbor", undefined);
  await running(1);
  const id = await world.aLaunchedCampaign();
  await expectDomainError(
    reviewCampaign(world.harbor, { id, action: "approve" }),
    "limit_reached",
    /one campaign.*Choose/,
  );
  await expectDomainError(managed(), "limit_reached");
  await world.subscribe("harbor", "enterprise");
  await running(5);
  await reviewCampaign(world.harbor, { id, action: "approve" });
});

test("a managed campaign that waits for its audiences does not hold the account, which its closing locks next", async () => {
  await world.subscribe("harbor", undefined);
  const accountId = world.accountId("harbor");
  let creating: ReturnType<typeof managed> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(sql`select from audiences where publisher_id = ${accountId} order by id for update`);
    creating = managed();
    await waitUntilBlockedOrDone(db(), creating);
    await tx.execute(sql`select from accounts where id = ${accountId} for update nowait`);
  });
  await creating;
});

test("paused and managed campaigns count, completed ones do not", async () => {
  const [first] = await running(4);
  if (first) await pauseLineItem(world.harbor, { id: first });
  await managed();
  const id = await world.aLaunchedCampaign({ changes: { end_date: addDays(world.today(), 40) } });
  await expectDomainError(reviewCampaign(world.harbor, { id, action: "approve" }), "limit_reached");
  world.advanceDays(30);
  await completeEndedCampaigns(world.job);
  await reviewCampaign(world.harbor, { id, action: "approve" });
});

test("a managed campaign that its publisher was withdrawn from counts again when the publisher edits it", async () => {
  const { id } = await managed();
  await selectAudience(id, "coffeeDrinkers");
  await selectAudience(id, "hikers");
  await reviewCampaign(world.harbor, { id, action: "reject" });
  const [first] = await running(5);
  const edit = () => updateManagedCampaign(world.harbor, { id, changes: campaignChanges({ budget: 7_000 }) });
  await expectDomainError(edit(), "limit_reached");
  expect(await world.lineItemStatus(world.harbor, id)).toBe("rejected pending");
  if (first) await selectAudience(first, "coffeeDrinkers");
  await edit();
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved active");
});

/** Has the campaign use one audience alone, and so withdraws the other publisher. */
async function selectAudience(id: CampaignId, audience: "hikers" | "coffeeDrinkers") {
  const changes = campaignChanges({ selected_audiences: [world.audience(audience)] });
  await updateCampaign(world.northwind, { id, changes, send: true });
}

test("a change of a running campaign does not count twice", async () => {
  const [id] = await running(5);
  if (!id) throw new Error("no campaign");
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 7_000 }), send: true });
  await reviewCampaign(world.harbor, { id, action: "approve" });
});

test.each([
  ["starter", 4],
  [undefined, 0],
] as const)("ten approvals at once for one free place: one, with plan %s", async (plan, runningCount) => {
  await world.subscribe("harbor", plan);
  await running(runningCount);
  const ids = await Promise.all(Array.from({ length: 10 }, () => world.aLaunchedCampaign()));
  const before = (await countLineItems(world.harbor)).management.active;
  const done = await Promise.allSettled(ids.map((id) => reviewCampaign(world.harbor, { id, action: "approve" })));
  expect(done.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const one of done) {
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "limit_reached" });
  }
  expect((await countLineItems(world.harbor)).management.active).toBe(before + 1);
});

test("the plan page shows what each plan adds to the one below it, with the enforced limits", () => {
  expect(planTypes.map(describePlanGain)).toEqual([
    "5 campaigns at a time, instead of 1 without a plan",
    "25 campaigns at a time, instead of Starter's 5",
    "As many campaigns at a time as you like, instead of Professional's 25",
  ]);
});
