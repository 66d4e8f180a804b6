import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { auditEntries, campaigns } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { failAuditOf } from "#tests/support/database/fail-audit-of.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World | undefined;
beforeEach(async () => {
  world ??= await createWorld(db());
});

const audiences = ["hikers", "coffeeDrinkers"] as const;

/** Runs from November 20 to 22. */
async function shortFlight(options: { approvedBy: ("harbor" | "fern")[] }) {
  const own = requireWorld();
  own.setNow("2026-11-20T12:00:00Z");
  return own.aRunningCampaign({ audiences, ...options, changes: { start_date: "2026-11-20", end_date: "2026-11-22" } });
}

function requireWorld(): World {
  if (!world) throw new Error("no world");
  return world;
}

test("the last day counts completely, in UTC: the campaign ends the day after", async () => {
  const id = await shortFlight({ approvedBy: ["harbor", "fern"] });
  requireWorld().setNow("2026-11-22T23:59:59.999Z");
  await completeEndedCampaigns(requireWorld().job);
  expect(await requireWorld().statusOf(id)).toBe("active");
  requireWorld().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(requireWorld().job);
  expect(await requireWorld().statusOf(id)).toBe("completed");
  expect(await requireWorld().lineItemStatus(requireWorld().harbor, id)).toBe("approved completed");
});

test("a paused campaign ends too", async () => {
  const id = await shortFlight({ approvedBy: ["harbor", "fern"] });
  await pauseCampaign(requireWorld().northwind, { id });
  requireWorld().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(requireWorld().job);
  expect(await requireWorld().lineItemStatus(requireWorld().fern, id)).toBe("approved completed");
});

test("a publisher that never decided is withdrawn, one that rejected stays rejected", async () => {
  const undecidedCampaign = await shortFlight({ approvedBy: ["harbor"] });
  const refused = await shortFlight({ approvedBy: ["harbor"] });
  await reviewCampaign(requireWorld().fern, { id: refused, action: "reject", notes: "No." });
  requireWorld().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(requireWorld().job);
  expect(await requireWorld().lineItemStatus(requireWorld().fern, undecidedCampaign)).toBe("withdrawn withdrawn");
  expect(await requireWorld().lineItemStatus(requireWorld().fern, refused)).toBe("rejected pending");
});

test("a longer flight counts once it is approved; an undecided change is dropped", async () => {
  const undecided = await shortFlight({ approvedBy: ["harbor", "fern"] });
  const longer = await shortFlight({ approvedBy: ["harbor", "fern"] });
  for (const id of [undecided, longer]) {
    await updateCampaign(requireWorld().northwind, {
      id,
      changes: campaignChanges({ end_date: "2026-12-24" }),
      send: true,
    });
  }
  await reviewCampaign(requireWorld().harbor, { id: longer, action: "approve" });
  requireWorld().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(requireWorld().job);
  expect(await requireWorld().statusOf(undecided)).toBe("completed");
  expect(await getLineItem(requireWorld().harbor, undecided)).toMatchObject({ approvalStatus: "approved", version: 1 });
  expect(await requireWorld().statusOf(longer)).toBe("active");
});

test("a rejected change leaves the decision on the version that ran", async () => {
  const own = requireWorld();
  own.setNow("2026-11-20T12:00:00Z");
  const changes = { start_date: "2026-11-20", end_date: "2026-11-22" };
  const id = await own.aLaunchedCampaign({ changes });
  await reviewCampaign(own.harbor, { id, action: "approve", notes: "Glad to" });
  own.setNow("2026-11-21T12:00:00Z");
  await updateCampaign(own.northwind, { id, changes: campaignChanges({ end_date: "2026-12-24" }), send: true });
  await reviewCampaign(own.harbor, { id, action: "reject", notes: "Too long" });
  own.setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(own.job);
  expect(await getLineItem(own.harbor, id)).toMatchObject({
    approvalStatus: "approved",
    version: 1,
    notes: "Glad to",
    decidedAt: new Date("2026-11-20T12:00:00Z"),
  });
});

test("a completed campaign has the budget and dates that ran, and its history what never ran", async () => {
  const own = requireWorld();
  const saved = await shortFlight({ approvedBy: ["harbor", "fern"] });
  const sent = await shortFlight({ approvedBy: ["harbor", "fern"] });
  const { totalBudgetCents, dailyBudgetCents } = (await getCampaign(own.northwind, saved)).content;
  const changes = campaignChanges({ budget: 90_000, daily_budget: 4_000, end_date: "2026-12-24" });
  await updateCampaign(own.northwind, { id: saved, changes });
  await updateCampaign(own.northwind, { id: sent, changes, send: true });
  own.setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(own.job);
  for (const id of [saved, sent]) {
    const completed = await getCampaign(own.northwind, id);
    const content = { totalBudgetCents, dailyBudgetCents, endDate: "2026-11-22" };
    expect(completed).toMatchObject({ status: "completed", unsentFields: [], content });
    const [entry] = (await listHistory(own.northwind, id)).filter(({ action }) => action === "campaign.completed");
    expect(entry).toMatchObject({
      before: { status: "active", totalBudgetCents: 9_000_000, endDate: "2026-12-24" },
      after: { status: "completed", totalBudgetCents, endDate: "2026-11-22" },
    });
  }
});

test("a campaign that nobody approved is never completed", async () => {
  const id = await shortFlight({ approvedBy: [] });
  requireWorld().setNow("2027-02-01T00:00:00Z");
  await completeEndedCampaigns(requireWorld().job);
  expect(await requireWorld().statusOf(id)).toBe("pending");
});

test("a campaign that cannot be completed keeps no other from completion, and is completed by a later run", async () => {
  const own = requireWorld();
  const [failing, other] = [
    await shortFlight({ approvedBy: ["harbor"] }),
    await shortFlight({ approvedBy: ["harbor", "fern"] }),
  ];
  own.setNow("2026-11-23T00:00:00Z");
  const mend = await failAuditOf(db.owner(), failing);
  onTestFinished(mend);
  expect(await completeEndedCampaigns({ ...own.job, stopping: AbortSignal.abort() })).toBe(0);
  await expect(completeEndedCampaigns(own.job)).rejects.toThrow(`failed for 1 of 2 campaigns: ${failing}`);
  expect([await own.statusOf(failing), await own.statusOf(other)]).toEqual(["active", "completed"]);
  await mend();
  expect(await completeEndedCampaigns(own.job)).toBe(1);
  expect(await own.statusOf(failing)).toBe("completed");
});

test("a campaign that is being changed is left to the next run", async () => {
  const own = requireWorld();
  const id = await shortFlight({ approvedBy: ["harbor"] });
  own.setNow("2026-11-23T00:00:00Z");
  await db().transaction(async (tx) => {
    await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("no key update");
    expect(await completeEndedCampaigns(own.job)).toBe(0);
  });
  expect(await completeEndedCampaigns(own.job)).toBe(1);
});

test("two processes at once complete each campaign once", async () => {
  for (let count = 0; count < 12; count += 1) await shortFlight({ approvedBy: ["harbor"] });
  requireWorld().setNow("2026-11-23T00:00:00Z");
  const before = await db().$count(auditEntries);
  const done = await Promise.all(Array.from({ length: 4 }, () => completeEndedCampaigns(requireWorld().job)));
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(12);
  expect((await db().$count(auditEntries)) - before).toBe(12 * 3);
  expect(await completeEndedCampaigns(requireWorld().job)).toBe(0);
});
