import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { listKeepingCampaigns } from "#app/domain/audiences/archive-audience.server.ts";
import { countReadyAudiences } from "#app/domain/audiences/count-ready-audiences.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { listAudienceCampaigns } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { listAudienceUploads } from "#app/domain/audiences/list-audience-changes.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { refreshCampaignStatus } from "#app/domain/campaigns/refresh-campaign-status.server.ts";
import { type CampaignId, newId, type ProductId } from "#app/domain/ids.ts";
import { audiences, campaigns, products } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

/**
 * Verbs that are given another's id directly. Their callers look first, so no call and no page shows whether the verb
 * itself would refuse; here each does it by itself.
 */
const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

test("of another's product whose id stands in a draft, the draft's owner is shown nothing", async () => {
  const id = await world.aDraft();
  const product = { id: newId<ProductId>(), accountId: world.accountId("harbor"), name: "Kettle", sku: "K-1" };
  await db()
    .insert(products)
    .values({ ...product, category: "Kitchen", priceCents: 4_990 });
  await db()
    .update(campaigns)
    .set({ productIds: [product.id] })
    .where(eq(campaigns.id, id));
  expect((await getCampaign(world.northwind, id)).products).toEqual([]);
});

test("a campaign that is not there has no state to find out", async () => {
  await expectRefusal(refreshCampaignStatus(world.job, newId<CampaignId>()), "not_found");
});

describe("of a publisher's audience, another publisher", () => {
  test("learns no campaign that uses or keeps it", async () => {
    await world.aRunningCampaign();
    expect(await listKeepingCampaigns(world.harbor, world.audience("hikers"))).toHaveLength(1);
    expect(await listKeepingCampaigns(world.fern, world.audience("hikers"))).toEqual([]);
    expect(await listAudienceCampaigns(world.harbor, world.audience("hikers"))).toHaveLength(1);
    expect(await listAudienceCampaigns(world.fern, world.audience("hikers"))).toEqual([]);
  });

  test("learns of no upload", async () => {
    const audienceId = world.audience("hikers");
    await reserveUpload(world.harbor, { audienceId, mode: "add", key: undefined });
    expect(await listAudienceUploads(world.harbor, audienceId)).toHaveLength(1);
    expect(await listAudienceUploads(world.fern, audienceId)).toEqual([]);
  });

  test("counts none", async () => {
    const ready = (publisher: World["harbor"]) =>
      db().$count(audiences, and(eq(audiences.publisherId, publisher.actor.accountId), eq(audiences.status, "ready")));
    for (const publisher of [world.harbor, world.fern]) {
      expect(await countReadyAudiences(publisher)).toBe(await ready(publisher));
    }
    expect(await ready(world.fern)).toBeLessThan(await db().$count(audiences, eq(audiences.status, "ready")));
  });

  test("is told no reach, though every advertiser is", async () => {
    const audienceIds = [world.audience("hikers")];
    await estimateReach(world.northwind, { audienceIds });
    await expectRefusal(estimateReach(world.fern, { audienceIds }), "invalid_input");
  });
});
