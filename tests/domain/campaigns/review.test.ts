import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { audiences } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const both = ["hikers", "coffeeDrinkers"] as const;

function change(id: CampaignId, changes: Record<string, unknown>) {
  return updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
}

test("one approval makes it active while the other publisher has not decided", async () => {
  const id = await world.aLaunchedCampaign({ audiences: both });
  expect(await world.statusOf(id)).toBe("pending");
  await reviewCampaign(world.harbor, { id, action: "approve", notes: "Welcome." });
  expect(await world.statusOf(id)).toBe("active");
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved active");
  expect(await world.lineItemStatus(world.fern, id)).toBe("pending pending");
});

test("a partly rejected campaign runs with the publishers that approved", async () => {
  const id = await world.aLaunchedCampaign({ audiences: both });
  await reviewCampaign(world.fern, { id, action: "reject", notes: "Not for us.", reasons: ["audience_fit"] });
  expect(await world.statusOf(id)).toBe("pending");
  await reviewCampaign(world.harbor, { id, action: "approve" });
  expect(await world.statusOf(id)).toBe("active");
  expect(await world.lineItemStatus(world.fern, id)).toBe("rejected pending");
});

test("rejected by all it is a draft again with the notes, and can be edited and launched again", async () => {
  const id = await world.aLaunchedCampaign({ audiences: both });
  await reviewCampaign(world.fern, { id, action: "reject", notes: "Too loud." });
  await reviewCampaign(world.harbor, { id, action: "reject", notes: "Wrong season." });
  const rejected = await getCampaign(world.northwind, id);
  expect(rejected.status).toBe("draft");
  expect(rejected.lineItems.map((item) => item.notes).sort()).toEqual(["Too loud.", "Wrong season."]);

  await updateCampaign(world.northwind, { id, changes: campaignChanges({ objective: "traffic" }) });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("rejected pending");
  await launchCampaign(world.northwind, { id });
  const again = await getCampaign(world.northwind, id);
  expect([again.status, again.version]).toEqual(["pending", 2]);
  expect(again.lineItems.map((item) => [item.approvalStatus, item.notes])).toEqual([
    ["pending", null],
    ["pending", null],
  ]);
  await reviewCampaign(world.harbor, { id, action: "approve", version: 2 });
  expect(await world.statusOf(id)).toBe("active");
});

test("a decision is final", async () => {
  const id = await world.aRunningCampaign();
  await expectDomainError(reviewCampaign(world.harbor, { id, action: "reject" }), "not_pending");
  await expectDomainError(reviewCampaign(world.harbor, { id, action: "approve" }), "not_pending");
});

test("a change waits while the approved version keeps running, and is shown as a difference", async () => {
  const id = await world.aRunningCampaign();
  await change(id, { budget: 8_000, geolocations: ["us"] });
  expect(await world.statusOf(id)).toBe("active");
  const part = await getLineItem(world.harbor, id);
  expect(part).toMatchObject({ approvalStatus: "pending", status: "active", version: 2, approvedVersion: 1 });
  expect([...part.changedFields].sort()).toEqual(["geolocations", "totalBudgetCents"]);
  expect(part.approvedContent?.totalBudgetCents).toBe(500_000);

  await reviewCampaign(world.harbor, { id, action: "approve" });
  expect(await getLineItem(world.harbor, id)).toMatchObject({
    approvalStatus: "approved",
    approvedVersion: 2,
    changedFields: [],
  });
});

test("while versions differ the smaller budget applies", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  const bounds = async () => (await getCampaign(world.northwind, id)).lineItems[0]?.delivery;
  await change(id, { budget: 8_000, daily_budget: 300 });
  expect(await bounds()).toEqual({ eligible: true, totalBudgetCents: 500_000, dailyBudgetCents: 30_000 });
});

test("rejecting a change leaves the approved version running, with the notes shown", async () => {
  const id = await world.aRunningCampaign();
  await change(id, { budget: 9_999 });
  await reviewCampaign(world.harbor, { id, action: "reject", notes: "Keep the first budget." });
  expect(await world.statusOf(id)).toBe("active");
  const [item] = (await getCampaign(world.northwind, id)).lineItems;
  expect(item).toMatchObject({ approvalStatus: "rejected", status: "active", approvedVersion: 1, sentVersion: 2 });
  expect(item?.notes).toBe("Keep the first budget.");
});

test("edits of a running campaign wait as unsent changes until they are launched", async () => {
  const id = await world.aRunningCampaign();
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 7_000 }) });
  expect((await getCampaign(world.northwind, id)).unsentFields).toEqual(["totalBudgetCents"]);
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved active");
  await launchCampaign(world.northwind, { id });
  expect((await getCampaign(world.northwind, id)).unsentFields).toEqual([]);
  expect(await world.lineItemStatus(world.harbor, id)).toBe("pending active");
  await launchCampaign(world.northwind, { id });
  expect((await getCampaign(world.northwind, id)).version).toBe(2);
});

test("unsent changes that are reverted are no changes", async () => {
  const id = await world.aRunningCampaign();
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 7_000 }) });
  await updateCampaign(world.northwind, {
    id,
    changes: campaignChanges({ budget: 5_000, channels: ["dv360", "trade_desk"] }),
  });
  await launchCampaign(world.northwind, { id });
  expect((await getCampaign(world.northwind, id)).version).toBe(1);
});

test("an edit while pending supersedes the sent version, which is then rejected as outdated", async () => {
  const id = await world.aLaunchedCampaign();
  await change(id, { budget: 6_000 });
  await expectDomainError(reviewCampaign(world.harbor, { id, action: "approve", version: 1 }), "version_changed");
  expect(await world.lineItemStatus(world.harbor, id)).toBe("pending pending");
  await reviewCampaign(world.harbor, { id, action: "approve", version: 2 });
  expect((await getLineItem(world.harbor, id)).totalBudgetCents).toBe(600_000);
});

test("the name changes at once, without a review", async () => {
  const id = await world.aRunningCampaign();
  await change(id, { name: "Packs for Autumn" });
  expect(await getLineItem(world.harbor, id)).toMatchObject({ name: "Packs for Autumn", approvalStatus: "approved" });
  const { rows } = await listLineItems(world.harbor, { q: "for autumn" });
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test("a name that is emptied after the launch does not reach the publishers", async () => {
  const id = await world.aRunningCampaign();
  await change(id, { name: null });
  expect((await getLineItem(world.harbor, id)).name).toBe("Ridgeline Packs");
});

test("a publisher whose audiences were removed is withdrawn, and decides no more", async () => {
  const id = await world.aRunningCampaign({ audiences: both, approvedBy: ["harbor", "fern"] });
  await change(id, { selected_audiences: [world.audience("hikers")] });
  expect(await world.lineItemStatus(world.fern, id)).toBe("withdrawn withdrawn");
  expect(await world.lineItemStatus(world.harbor, id)).toBe("pending active");
  expect(await world.statusOf(id)).toBe("active");
  await expectDomainError(reviewCampaign(world.fern, { id, action: "approve" }), "not_pending");
});

test("a publisher that is added again has to approve before anything runs", async () => {
  const id = await world.aRunningCampaign({ audiences: both, approvedBy: ["harbor", "fern"] });
  await change(id, { selected_audiences: [world.audience("hikers")] });
  await change(id, { selected_audiences: both.map(world.audience) });
  expect(await world.lineItemStatus(world.fern, id)).toBe("pending pending");
  await reviewCampaign(world.fern, { id, action: "approve", version: 3 });
  expect(await world.lineItemStatus(world.fern, id)).toBe("approved active");
});

test("when the only publisher that approved is removed the campaign is pending again", async () => {
  const id = await world.aRunningCampaign();
  await change(id, { selected_audiences: [world.audience("coffeeDrinkers")] });
  expect(await world.statusOf(id)).toBe("pending");
  expect(await world.lineItemStatus(world.fern, id)).toBe("pending pending");
});

test("a publisher sees its own audiences only, and no difference in those of others", async () => {
  const id = await world.aRunningCampaign({ audiences: both, approvedBy: ["harbor", "fern"] });
  await change(id, { selected_audiences: [...both, "organicPantry" as const].map(world.audience) });
  const part = await getLineItem(world.harbor, id);
  expect(part.audiences.map((audience) => audience.name)).toEqual(["Weekend hikers"]);
  expect(part.changedFields).toEqual([]);
  expect((await getLineItem(world.fern, id)).changedFields).toEqual(["audienceIds"]);
});

test("an approval freezes the CPM; a later price change does not affect it", async () => {
  const id = await world.aRunningCampaign({ audiences: ["campers"] });
  await db()
    .update(audiences)
    .set({ cpmCents: 4_200 })
    .where(eq(audiences.id, world.audience("campers")));
  expect((await getLineItem(world.harbor, id)).audiences[0]?.cpmCents).toBe(925);
  const undecided = await world.aLaunchedCampaign({ audiences: ["campers"] });
  expect((await getLineItem(world.harbor, undecided)).audiences[0]?.cpmCents).toBe(4_200);
});

test("an approval freezes no other publisher's CPM", async () => {
  const id = await world.aLaunchedCampaign({ audiences: both });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await db()
    .update(audiences)
    .set({ cpmCents: 4_300 })
    .where(eq(audiences.id, world.audience("coffeeDrinkers")));
  await reviewCampaign(world.fern, { id, action: "approve" });
  expect((await getLineItem(world.fern, id)).audiences[0]?.cpmCents).toBe(4_300);
});

test("an audience archived meanwhile stops the launch with a message", async () => {
  const id = await world.aDraft({}, { audiences: ["grilling"] });
  await db()
    .update(audiences)
    .set({ status: "archived" })
    .where(eq(audiences.id, world.audience("grilling")));
  await expectDomainError(launchCampaign(world.northwind, { id }), "invalid_input");
});

test("a flight that is over can be rejected while it is pending", async () => {
  const own = await world.aLaunchedCampaign();
  world.advanceDays(30);
  await expectDomainError(
    reviewCampaign(world.harbor, { id: own, action: "approve" }),
    "invalid_transition",
    /end date has passed/,
  );
  await reviewCampaign(world.harbor, { id: own, action: "reject" });
  world.advanceDays(-30);
});

test("the commission is 70 percent unless agreed otherwise", async () => {
  const id = await world.aLaunchedCampaign();
  expect((await getLineItem(world.harbor, id)).commissionRate).toBe(70);
});

test("the decision records who, when, which version, with notes and reasons", async () => {
  const id = await world.aLaunchedCampaign();
  const reasons = ["brand_safety" as const, "brand_safety" as const];
  await reviewCampaign(world.harbor, { id, action: "reject", notes: "No.", version: 1, reasons });
  const [decision] = await db().execute(
    sql`select d.* from decisions d join line_items l on l.id = d.line_item_id where l.campaign_id = ${id}`,
  );
  expect(decision).toMatchObject({
    version: 1,
    action: "reject",
    notes: "No.",
    reasons: ["brand_safety"],
    decided_by_user_id: world.harbor.actor.userId,
  });
});

test("after a change of the start was rejected, the running start can be restored though it is past", async () => {
  const start = world.today();
  const id = await world.aRunningCampaign({ changes: { start_date: start } });
  world.advanceDays(3);
  await change(id, { start_date: addDays(world.today(), 2) });
  await reviewCampaign(world.harbor, { id, action: "reject", notes: "Keep the start." });
  await change(id, { start_date: start, budget: 9_000 });
  expect((await getLineItem(world.harbor, id)).changedFields).toEqual(["totalBudgetCents"]);
  await expectDomainError(change(id, { start_date: addDays(world.today(), -1) }), "invalid_input");
  world.advanceDays(-3);
});
