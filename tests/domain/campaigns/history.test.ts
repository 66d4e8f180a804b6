import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;

/** One campaign over two publishers, through a bit of everything. */
beforeAll(async () => {
  world = await makeWorld(db());
  id = await world.aLaunchedCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  await reviewCampaign(world.harbor, { id, action: "approve", notes: "Harbor's words" });
  await reviewCampaign(world.fern, { id, action: "reject", notes: "Fern's words" });
  await pauseCampaign(world.northwind, { id });
  await resumeCampaign(world.northwind, { id });
  await pauseLineItem(world.harbor, { id });
  await resumeLineItem(world.harbor, { id });
  await changeCampaign(world.northwind, { id, changes: payload({ budget: 6_000 }), send: true });
});

async function actions(ctx: Ctx<TenantActor>): Promise<string[]> {
  return (await listHistory(ctx, id)).map((entry) => entry.action).reverse();
}

test("the advertiser sees all of it, each thing once", async () => {
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

test("a publisher sees what concerns its own part, and no word of another's", async () => {
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

test("to others the campaign has no history", async () => {
  expect(await listHistory(world.brightside, id)).toEqual([]);
  expect((await listActivity(world.brightside, {})).rows).toEqual([]);
});

test("each entry says who, through which door, and what changed", async () => {
  const changed = (await listHistory(world.northwind, id)).find((entry) => entry.action === "campaign.changed");
  expect(changed).toMatchObject({
    actorName: "Northwind Outdoors",
    actorKind: "advertiser",
    door: "screen",
    before: { totalBudgetCents: 500_000 },
    after: { totalBudgetCents: 600_000 },
  });
  expect(changed?.at).toEqual(world.clock());
});

test("a decision writes exactly one line", async () => {
  const own = await world.aLaunchedCampaign();
  const before = await db().$count(auditEntries, eq(auditEntries.campaignId, own));
  await reviewCampaign(world.harbor, { id: own, action: "approve" });
  expect((await db().$count(auditEntries, eq(auditEntries.campaignId, own))) - before).toBe(1);
});

test("what is refused leaves no line", async () => {
  const before = await db().$count(auditEntries);
  await expect(reviewCampaign(world.fern, { id, action: "approve", version: 99 })).rejects.toThrow();
  await expect(resumeLineItem(world.fern, { id })).rejects.toThrow();
  expect(await db().$count(auditEntries)).toBe(before);
});
