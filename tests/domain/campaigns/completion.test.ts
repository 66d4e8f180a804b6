import { beforeEach, expect, test } from "vitest";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World | undefined;
beforeEach(async () => {
  world ??= await makeWorld(db());
});

const audiences = ["hikers", "coffeeDrinkers"] as const;

/** Runs from November 20 to 22. */
async function shortFlight(options: { approvedBy: ("harbor" | "fern")[] }) {
  const own = the();
  own.setNow("2026-11-20T12:00:00Z");
  return own.aRunningCampaign({ audiences, ...options, changes: { start_date: "2026-11-20", end_date: "2026-11-22" } });
}

function the(): World {
  if (!world) throw new Error("no world");
  return world;
}

test("the last day counts wholly, in UTC: it is completed the day after", async () => {
  const id = await shortFlight({ approvedBy: ["harbor", "fern"] });
  the().setNow("2026-11-22T23:59:59.999Z");
  await completeEndedCampaigns(the().job);
  expect(await the().statusOf(id)).toBe("active");
  the().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(the().job);
  expect(await the().statusOf(id)).toBe("completed");
  expect(await the().partOf(the().harbor, id)).toBe("approved completed");
});

test("a paused campaign is completed too", async () => {
  const id = await shortFlight({ approvedBy: ["harbor", "fern"] });
  await pauseCampaign(the().northwind, { id });
  the().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(the().job);
  expect(await the().partOf(the().fern, id)).toBe("approved completed");
});

test("who never answered is withdrawn, who said no stays with its no", async () => {
  const silent = await shortFlight({ approvedBy: ["harbor"] });
  const refused = await shortFlight({ approvedBy: ["harbor"] });
  await reviewCampaign(the().fern, { id: refused, action: "reject", notes: "No." });
  the().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(the().job);
  expect(await the().partOf(the().fern, silent)).toBe("withdrawn withdrawn");
  expect(await the().partOf(the().fern, refused)).toBe("rejected pending");
});

test("a longer flight counts once it is approved; a change nobody decided is moot", async () => {
  const undecided = await shortFlight({ approvedBy: ["harbor", "fern"] });
  const longer = await shortFlight({ approvedBy: ["harbor", "fern"] });
  for (const id of [undecided, longer]) {
    await changeCampaign(the().northwind, { id, changes: payload({ end_date: "2026-12-24" }), send: true });
  }
  await reviewCampaign(the().harbor, { id: longer, action: "approve" });
  the().setNow("2026-11-23T00:00:00Z");
  await completeEndedCampaigns(the().job);
  expect(await the().statusOf(undecided)).toBe("completed");
  expect(await getLineItem(the().harbor, undecided)).toMatchObject({ approvalStatus: "approved", version: 1 });
  expect(await the().statusOf(longer)).toBe("active");
});

test("a campaign that nobody approved is never completed", async () => {
  const id = await shortFlight({ approvedBy: [] });
  the().setNow("2027-02-01T00:00:00Z");
  await completeEndedCampaigns(the().job);
  expect(await the().statusOf(id)).toBe("pending");
});

test("two processes at once complete each campaign once", async () => {
  await Promise.all(Array.from({ length: 12 }, () => shortFlight({ approvedBy: ["harbor"] })));
  the().setNow("2026-11-23T00:00:00Z");
  const before = await db().$count(auditEntries);
  const done = await Promise.all(Array.from({ length: 4 }, () => completeEndedCampaigns(the().job)));
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(12);
  expect((await db().$count(auditEntries)) - before).toBe(12 * 3);
  expect(await completeEndedCampaigns(the().job)).toBe(0);
});
