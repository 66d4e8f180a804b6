import { beforeAll, describe, expect, test } from "vitest";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { duplicateCampaign } from "#app/domain/campaigns/duplicate-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { type CampaignId, newId } from "#app/domain/ids.ts";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let foreign: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
  foreign = await world.aRunningCampaign();
});

/** Every verb that takes a campaign's id, called by those who have no part in Northwind's campaign with Harbor. */
const verbs: Record<string, (id: CampaignId) => Promise<unknown>> = {
  getCampaign: (id) => getCampaign(world.brightside, id),
  changeCampaign: (id) => updateCampaign(world.brightside, { id, changes: campaignChanges({ name: "Mine" }) }),
  launchCampaign: (id) => launchCampaign(world.brightside, { id }),
  pauseCampaign: (id) => pauseCampaign(world.brightside, { id }),
  resumeCampaign: (id) => resumeCampaign(world.brightside, { id }),
  deleteDraft: (id) => deleteDraft(world.brightside, { id }),
  duplicateCampaign: (id) => duplicateCampaign(world.brightside, { id }),
  getLineItem: (id) => getLineItem(world.fern, id),
  reviewCampaign: (id) => reviewCampaign(world.fern, { id, action: "approve", version: 1 }),
  pauseLineItem: (id) => pauseLineItem(world.fern, { id }),
  resumeLineItem: (id) => resumeLineItem(world.fern, { id }),
};

describe("another account's id gets the response of an unknown one, and nothing happens", () => {
  for (const [name, verb] of Object.entries(verbs)) {
    test(name, async () => {
      const lines = await db().$count(auditEntries);
      const [theirs, absent] = [await domainErrorFrom(verb(foreign)), await domainErrorFrom(verb(newId<CampaignId>()))];
      expect(theirs.code).toBe("not_found");
      expect([theirs.code, theirs.message, theirs.fields]).toEqual([absent.code, absent.message, absent.fields]);
      expect(await db().$count(auditEntries)).toBe(lines);
    });
  }
});

test("lists contain one's own rows only, also in a search", async () => {
  expect((await listCampaigns(world.brightside, { q: "Ridgeline" })).rows).toEqual([]);
  expect((await listLineItems(world.fern, { q: "Ridgeline", approval: "all" })).rows).toEqual([]);
  expect((await listLineItems(world.harbor, { q: "Ridgeline" })).rows).toHaveLength(1);
});

test("a cursor of another account's list reads none of its rows", async () => {
  await world.aRunningCampaign();
  const { nextCursor } = await listCampaigns(world.northwind, { limit: 1, sort: "name" });
  expect(nextCursor).not.toBeNull();
  expect((await listCampaigns(world.brightside, { cursor: nextCursor ?? "", sort: "name" })).rows).toEqual([]);
});
