import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { listAudienceBlockingCampaigns } from "#app/domain/audiences/archive-audience.server.ts";
import { countReadyAudiences } from "#app/domain/audiences/count-ready-audiences.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { listAudienceCampaigns } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { listAudienceUploads } from "#app/domain/audiences/list-audience-versions.server.ts";
import { reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { countMatchingCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { refreshCampaignStatus } from "#app/domain/campaigns/refresh-campaign-status.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-products.server.ts";
import { exportProducts } from "#app/domain/catalog/export-products.server.ts";
import { countImportProblems, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import { readImportChunks } from "#app/domain/catalog/imports/import-rows.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import { listProductBlockingCampaigns } from "#app/domain/catalog/product-use.server.ts";
import { type AccountId, type CampaignId, newId, type ProductId } from "#app/domain/ids.ts";
import { audiences, campaigns, productImportChunks, productImportProblems, products } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

/**
 * Functions that are called with another account's ID directly. Their callers check first, so that no endpoint shows
 * whether the function itself would refuse; here each does it by itself.
 */
const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

test("a draft with the id of another account's product shows its owner nothing of it", async () => {
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

test("a campaign that does not exist has no status", async () => {
  await expectDomainError(refreshCampaignStatus(world.job, newId<CampaignId>()), "not_found");
});

describe("another account, of an advertiser's campaigns,", () => {
  test("counts none that match a search", async () => {
    await world.aDraft({ name: "Only Northwind's" });
    expect(await countMatchingCampaigns(world.northwind, { q: "only north" })).toBe(1);
    expect(await countMatchingCampaigns(world.brightside, { q: "only north" })).toBe(0);
  });

  test("reads no other publisher's decisions", async () => {
    const id = await world.aRunningCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
    expect(await listDecisions(world.harbor, id)).toHaveLength(1);
    expect(await listDecisions(world.fern, id)).toEqual([]);
  });

  test("does not learn which of them use a product, and deleting one of its own changes none of their drafts", async () => {
    const product = async (accountId: AccountId, sku: string) => {
      const id = newId<ProductId>();
      await db()
        .insert(products)
        .values({ id, accountId, sku, name: "Kettle", category: "Kitchen", priceCents: 4_990 });
      return id;
    };
    const shown = await product(world.accountId("northwind"), "K-2");
    const creative_ids = [await insertCreative(db(), world.accountId("northwind"))];
    await world.aRunningCampaign({ changes: { creative_ids, selected_products: [shown] } });
    expect(await listProductBlockingCampaigns(world.northwind, shown)).toHaveLength(1);
    expect(await listProductBlockingCampaigns(world.brightside, shown)).toEqual([]);

    const draft = await world.aDraft();
    const gone = newId<ProductId>();
    await db()
      .update(campaigns)
      .set({ productIds: [gone] })
      .where(eq(campaigns.id, draft));
    await deleteProduct(world.brightside, { id: await product(world.accountId("brightside"), "K-3") });
    const [row] = await db().select({ ids: campaigns.productIds }).from(campaigns).where(eq(campaigns.id, draft));
    expect(row?.ids).toEqual([gone]);
  });
});

test("no export contains another account's products", async () => {
  const exported: string[] = [];
  for await (const rows of exportProducts(world.northwind)) exported.push(...rows.map(({ id }) => id));
  const all = await db().select({ id: products.id, owner: products.accountId }).from(products);
  const own = all.filter(({ owner }) => owner === world.northwind.actor.accountId).map(({ id }) => id);
  expect(exported.sort()).toEqual(own.sort());
  expect(own.length).toBeLessThan(all.length);
});

test("nobody reads the file of another account's import or its errors", async () => {
  const { id: importId } = await reserveImport(world.harbor, { key: undefined });
  const own = { importId, accountId: world.accountId("harbor"), number: 0 };
  const problem = { kind: "rejected", row: 2, column: "Price", message: "Price is missing" } as const;
  await db()
    .insert(productImportProblems)
    .values({ ...own, ...problem });
  await db()
    .insert(productImportChunks)
    .values({ ...own, bytes: Buffer.from("Name") });
  for (const [who, seen] of [
    [world.harbor, 1],
    [world.fern, 0],
  ] as const) {
    expect(await listImportProblems(who, { id: importId, limit: 10 })).toHaveLength(seen);
    expect(await countImportProblems(who, { id: importId })).toBe(seen);
    let pieces = 0;
    for await (const _ of readImportChunks(who, importId)) pieces += 1;
    expect(pieces).toBe(seen);
  }
});

describe("another publisher, of a publisher's audience,", () => {
  test("learns no campaign that uses it", async () => {
    await world.aRunningCampaign();
    expect(await listAudienceBlockingCampaigns(world.harbor, world.audience("hikers"))).not.toEqual([]);
    expect(await listAudienceBlockingCampaigns(world.fern, world.audience("hikers"))).toEqual([]);
    expect(await listAudienceCampaigns(world.harbor, world.audience("hikers"))).not.toEqual([]);
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

  test("gets no reach, though every advertiser does", async () => {
    const audienceIds = [world.audience("hikers")];
    await estimateReach(world.northwind, { audienceIds });
    await expectDomainError(estimateReach(world.fern, { audienceIds }), "invalid_input");
  });
});
