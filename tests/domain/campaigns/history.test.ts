import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;

/** A campaign with two publishers that goes through most kinds of events. */
beforeAll(async () => {
  world = await createWorld(db());
  id = await world.aLaunchedCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  await reviewCampaign(world.harbor, { id, action: "approve", notes: "Harbor's words" });
  await reviewCampaign(world.fern, { id, action: "reject", notes: "Fern's words" });
  await pauseCampaign(world.northwind, { id });
  await resumeCampaign(world.northwind, { id });
  await pauseLineItem(world.harbor, { id });
  await resumeLineItem(world.harbor, { id });
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 6_000 }), send: true });
});

async function actions(ctx: Ctx<TenantActor>): Promise<string[]> {
  return (await listHistory(ctx, id)).map((entry) => entry.action).reverse();
}

test("the advertiser sees everything, each event once", async () => {
  expect(await actions(world.northwind)).toEqual([
    "campaign.created",
    "campaign.launched",
    "line_item.approved",
    "line_item.rejected",
    "campaign.paused",
    "campaign.resumed",
    "line_item.paused",
    "line_item.resumed",
    "campaign.changed",
    "campaign.sent",
  ]);
});

test("a publisher sees the events of its own line item, and none of another's", async () => {
  const seen = await actions(world.fern);
  expect(seen.filter((action) => !action.endsWith("_with_campaign"))).toEqual([
    "line_item.sent",
    "line_item.rejected",
    "line_item.sent",
  ]);
  const text = JSON.stringify([await listHistory(world.fern, id), await listActivity(world.fern, {})]);
  expect(text).toContain("Fern's words");
  expect(text).not.toContain("Harbor");
  expect(JSON.stringify(await listHistory(world.harbor, id))).not.toContain("Fern");
});

test("for other accounts the campaign has no history", async () => {
  expect(await listHistory(world.brightside, id)).toEqual([]);
  expect((await listActivity(world.brightside, {})).rows).toEqual([]);
});

test("each entry has the actor, the entrypoint, and the change", async () => {
  const changed = (await listHistory(world.northwind, id)).find((entry) => entry.action === "campaign.changed");
  expect(changed).toMatchObject({
    actorName: "Northwind Outdoors",
    actorKind: "advertiser",
    entrypoint: "screen",
    before: { totalBudgetCents: 500_000 },
    after: { totalBudgetCents: 600_000 },
  });
  expect(changed?.at).toEqual(world.clock());
});

test("a decision writes exactly one entry", async () => {
  const own = await world.aLaunchedCampaign();
  const before = await db().$count(auditEntries, eq(auditEntries.campaignId, own));
  await reviewCampaign(world.harbor, { id: own, action: "approve" });
  expect((await db().$count(auditEntries, eq(auditEntries.campaignId, own))) - before).toBe(1);
});

test("a rejected action leaves no entry", async () => {
  const before = await db().$count(auditEntries);
  await expect(reviewCampaign(world.fern, { id, action: "approve", version: 99 })).rejects.toThrow();
  await expect(resumeLineItem(world.fern, { id })).rejects.toThrow();
  expect(await db().$count(auditEntries)).toBe(before);
});
