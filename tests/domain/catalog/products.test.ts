import { eq, like } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { categorizeProducts } from "#app/domain/catalog/categorize-products.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { deleteProduct, deleteProducts } from "#app/domain/catalog/delete-products.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { countProducts, listProducts } from "#app/domain/catalog/list-products.server.ts";
import { type ProductSort, productSorts } from "#app/domain/catalog/product.ts";
import { productChangesSchema, productSchema } from "#app/domain/catalog/product-payloads.ts";
import { listProductBlockingCampaigns } from "#app/domain/catalog/product-use.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { CampaignId, ProductId } from "#app/domain/ids.ts";
import { auditEntries, campaigns, campaignVersions, products } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let northwind: Ctx<TenantActor>;
beforeAll(async () => {
  world = await createWorld(db());
  northwind = world.northwind;
});

const kettle = { name: "Kettle", sku: "K-1", category: "Kitchen", price: "49.90" };
const made = (input: Record<string, unknown> = {}, by = northwind) =>
  createProduct(by, productSchema.parse({ ...kettle, ...input }));
const change = (id: ProductId, input: Record<string, unknown>, by = northwind) =>
  updateProduct(by, { id, changes: productChangesSchema.parse(input) });

describe("a product", () => {
  const forget = async () => void (await db().delete(products).where(eq(products.sku, "K-1")));
  beforeEach(forget);
  afterAll(forget);

  test("is created with its required fields, and recorded in the audit trail", async () => {
    const { id } = await made();
    expect(await getProduct(northwind, id)).toMatchObject({
      name: "Kettle",
      sku: "K-1",
      category: "Kitchen",
      priceCents: 4_990,
      inventory: null,
      status: "active",
      imageUrl: null,
      description: null,
      brand: null,
    });
    await change(id, { price: 12, inventory: "9", description: " Two\r\nlines " });
    await change(id, { price: 12 });
    expect(await getProduct(northwind, id)).toMatchObject({
      priceCents: 1_200,
      inventory: 9,
      status: "low_stock",
      description: "Two\nlines",
    });
    await change(id, { inventory: null });
    expect(await getProduct(northwind, id)).toMatchObject({ inventory: null, status: "active" });
    await deleteProduct(northwind, { id });
    const lines = await db().select().from(auditEntries).where(eq(auditEntries.entityId, id)).orderBy(auditEntries.id);
    expect(lines.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["product.created", null, expect.objectContaining({ sku: "K-1", price_cents: 4_990 })],
      [
        "product.changed",
        { price_cents: 4_990, inventory: null, description: null },
        { price_cents: 1_200, inventory: 9, description: "Two\nlines" },
      ],
      ["product.changed", { inventory: 9 }, { inventory: null }],
      ["product.deleted", { name: "Kettle", sku: "K-1" }, null],
    ]);
  });

  test("has a SKU that is unique in its account; another account may have the same", async () => {
    const { id } = await made();
    expect((await domainErrorFrom(made({ name: "Other" }))).fields).toEqual({
      sku: ["This SKU is already in use. Enter a different one."],
    });
    await made({}, world.harbor);
    const { id: other } = await made({ sku: "K-2" });
    expect((await domainErrorFrom(change(other, { sku: "K-1" }))).fields).toEqual({
      sku: ["This SKU is already in use. Enter a different one."],
    });
    await change(id, { sku: "K-1" });
    await db().delete(products).where(eq(products.sku, "K-2"));
  });

  test.each([
    [{ name: " " }, { name: ["Enter a product name"] }],
    [{ sku: null }, { sku: ["Enter a SKU"] }],
    [{ category: "" }, { category: ["Enter a category"] }],
    [{ price: "-1" }, { price: ["Enter 0 or more"] }],
    [{ price: 12.345 }, { price: ["Enter an amount with at most two decimals, such as 12.50"] }],
    [{ price: "abc" }, { price: ["Enter a price in US dollars, such as 12 or 12.50"] }],
    [{ price: "10,000,000.01" }, { price: ["Enter $10,000,000 or less"] }],
    [{ inventory: "1.5" }, { inventory: ["Enter a whole number, 0 or more"] }],
    [{ inventory: -1 }, { inventory: ["Enter a whole number, 0 or more"] }],
    [{ image: "http://cdn.example.com/a.png" }, { image: ["Enter a URL that begins with https://"] }],
    [{ image: "javascript:alert(1)" }, { image: ["Enter a URL that begins with https://"] }],
    [{ sku: "x".repeat(101) }, { sku: ["Use at most 100 characters"] }],
    [{ name: "a\u0000b" }, { name: ["Remove invisible control characters"] }],
  ])("is rejected with %j", (input, fields) => {
    const read = productSchema.safeParse({ ...kettle, ...input });
    const issues = new Map(read.error?.issues.map(({ path, message }) => [path[0], [message]]));
    expect(Object.fromEntries(issues)).toEqual(fields);
  });

  test("of another account does not exist", async () => {
    const { id } = await made();
    for (const stranger of [world.brightside, world.harbor]) {
      await expectDomainError(getProduct(stranger, id), "not_found");
      await expectDomainError(change(id, { name: "Mine" }, stranger), "not_found");
      await expectDomainError(deleteProduct(stranger, { id }), "not_found");
      expect(await deleteProducts(stranger, { ids: [id] })).toEqual({ deleted: 0, kept: 0 });
      const selection = { ids: [id] };
      expect(await categorizeProducts(stranger, { selection, category: "Mine" })).toEqual({ changed: 0 });
    }
    expect(await getProduct(northwind, id)).toMatchObject({ name: "Kettle", category: "Kitchen" });
  });
});

describe("the list", () => {
  const skus = async (input: Parameters<typeof listProducts>[1]) =>
    (await listProducts(northwind, input)).rows.map((row) => row.sku);

  test("finds by part of the name or SKU, in any case, and matches wildcards literally", async () => {
    expect(await skus({ q: "ridgeline" })).toEqual(["NW-PK-022", "NW-PK-040"]);
    expect(await skus({ q: "nw-bt" })).toEqual(["NW-BT-101", "NW-BT-310", "NW-BT-204"]);
    expect(await skus({ q: "%" })).toEqual([]);
    expect(await countProducts(northwind, { q: "ridgeline" })).toBe(2);
    const status = "low_stock";
    expect(await skus({ status })).toEqual(["NW-BT-310", "NW-CK-005"]);
    expect(await countProducts(northwind, { status: "active" })).toBe(12);
    expect(await skus({ category: "Packs", q: "40" })).toEqual(["NW-PK-040"]);
  });

  test("counts its categories", async () => {
    expect(await listCategories(northwind)).toEqual([
      { category: "Apparel", products: 3 },
      { category: "Camp kitchen", products: 2 },
      { category: "Footwear", products: 3 },
      { category: "Maps", products: 1 },
      { category: "Packs", products: 3 },
      { category: "Tents", products: 2 },
    ]);
    expect(await listCategories(world.fern)).toHaveLength(3);
  });

  const firsts: Record<ProductSort, string> = {
    name: "NW-TN-003",
    newest: "NW-NV-001",
    price_low: "NW-NV-001",
    price_high: "NW-TN-003",
    stock_low: "NW-BT-310",
  };
  test.each(productSorts)("sorted by %s has the same rows page by page, forward and back", async (sort) => {
    const whole = await skus({ sort });
    expect([whole.length, whole[0]]).toEqual([14, firsts[sort]]);
    const forwards: string[] = [];
    let page = await listProducts(northwind, { sort, limit: 3 });
    for (;;) {
      forwards.push(...page.rows.map((row) => row.sku));
      if (!page.nextCursor) break;
      page = await listProducts(northwind, { sort, limit: 3, cursor: page.nextCursor });
    }
    expect(forwards).toEqual(whole);
    const backwards = page.rows.map((row) => row.sku);
    while (page.previousCursor) {
      page = await listProducts(northwind, { sort, limit: 3, cursor: page.previousCursor });
      backwards.unshift(...page.rows.map((row) => row.sku));
    }
    expect(backwards).toEqual(whole);
  });

  test("rejects a cursor of another order or any other text", async () => {
    const byName = await listProducts(northwind, { sort: "name", limit: 1 });
    const cursor = byName.nextCursor ?? "";
    await expectDomainError(listProducts(northwind, { sort: "price_low", cursor }), "invalid_input");
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom(...productSorts), async (text, sort) => {
        const value = Buffer.from(JSON.stringify(["after", text, crypto.randomUUID()])).toString("base64url");
        await listProducts(northwind, { sort, cursor: value }).catch((error: { code?: string }) =>
          expect(error.code).toBe("invalid_input"),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe("a product that the store does not sell", () => {
  const listing = async (by: Ctx<TenantActor>, status: "draft" | "archived") =>
    (await listProducts(by, { status, q: "L-" })).rows.map(({ sku, status: shown }) => [sku, shown]);

  test("is shown as such, whatever its inventory", async () => {
    const { id: draft } = await made({ sku: "L-1", inventory: "2", listing_status: "draft" });
    await made({ sku: "L-2", listing_status: "archived" });
    expect(await listing(northwind, "draft")).toEqual([["L-1", "draft"]]);
    expect(await listing(northwind, "archived")).toEqual([["L-2", "archived"]]);
    expect(await countProducts(northwind, { q: "L-", status: "active" })).toBe(0);
    expect(await countProducts(northwind, { q: "L-", listed: true })).toBe(0);
    await change(draft, { listing_status: "active" });
    expect(await countProducts(northwind, { q: "L-", status: "low_stock", listed: true })).toBe(1);
    await db().delete(products).where(like(products.sku, "L-%"));
  });

  test("can't be added to a campaign, and a campaign with it can't be launched", async () => {
    const { id: product } = await made({ sku: "L-3", name: "Lamp", listing_status: "draft" });
    const content = {
      creative_ids: [await insertCreative(db(), world.accountId("northwind"))],
      selected_products: [product],
    };
    const refused = await domainErrorFrom(world.aDraft(content));
    const message = "“Lamp” is not active in the catalog.";
    expect(refused.fields).toEqual({ selected_products: [`${message} Choose active products.`] });
    await change(product, { listing_status: "active" });
    const campaign = await world.aDraft(content);
    await change(product, { listing_status: "archived" });
    const stopped = await domainErrorFrom(launchCampaign(world.northwind, { id: campaign }));
    expect(stopped.fields?.selected_products).toEqual([`${message} Remove it or make it active.`]);
  });
});

describe("deleting", () => {
  let creative: { creative_ids: string[] };
  beforeAll(async () => {
    creative = { creative_ids: [await insertCreative(db(), world.accountId("northwind"))] };
  });
  const selectProducts = (...skus: string[]) => ({
    ...creative,
    selected_products: skus.map((sku) => ids.get(sku) ?? ""),
  });
  let ids: Map<string, ProductId>;
  beforeEach(async () => {
    ids = new Map();
    for (const sku of ["D-1", "D-2", "D-3"]) {
      await db().delete(products).where(eq(products.sku, sku));
      ids.set(sku, (await made({ sku, name: sku, category: "Doomed" })).id);
    }
  });
  const chosen = async (id: Awaited<ReturnType<World["aDraft"]>>) =>
    (await getCampaign(world.northwind, id)).content.productIds;
  const id = (sku: string) => ids.get(sku) ?? world.product(sku);

  test("removes a product from drafts", async () => {
    const draft = await world.aDraft(selectProducts("D-1", "D-2", "D-3"));
    await deleteProduct(northwind, { id: id("D-2") });
    expect(await chosen(draft)).toEqual([id("D-1"), id("D-3")]);
    expect(await deleteProducts(northwind, { ids: [id("D-1")] })).toEqual({ deleted: 1, kept: 0 });
    expect(await chosen(draft)).toEqual([id("D-3")]);
  });

  test("is rejected while a campaign is pending or runs, and possible when it is over", async () => {
    const campaign = await world.aLaunchedCampaign({ changes: { name: "Autumn", ...selectProducts("D-1") } });
    const refused = await domainErrorFrom(deleteProduct(northwind, { id: id("D-1") }));
    expect([refused.code, refused.message]).toEqual([
      "invalid_transition",
      expect.stringMatching(/^The campaign “Autumn”/),
    ]);
    expect(await listProductBlockingCampaigns(northwind, id("D-1"))).toEqual([{ id: campaign, name: "Autumn" }]);
    await reviewCampaign(world.harbor, { id: campaign, action: "approve" });
    // Another selection is only saved; the approved version still shows the product.
    await updateCampaign(world.northwind, { id: campaign, changes: campaignChanges({ selected_products: [] }) });
    expect(await deleteProducts(northwind, { matching: { category: "Doomed" } })).toEqual({ deleted: 2, kept: 1 });
    expect((await listProducts(northwind, { category: "Doomed" })).rows.map((row) => row.sku)).toEqual(["D-1"]);
    const [line] = await db()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, "products.deleted"))
      .orderBy(auditEntries.id)
      .limit(1)
      .offset((await db().$count(auditEntries, eq(auditEntries.action, "products.deleted"))) - 1);
    expect(line?.after).toEqual({ products: 2, matching: { category: "Doomed" } });
  });

  test("is possible when every publisher has rejected, and the draft no longer has it", async () => {
    const campaign = await world.aLaunchedCampaign({ changes: selectProducts("D-1", "D-2") });
    await reviewCampaign(world.harbor, { id: campaign, action: "reject" });
    await deleteProduct(northwind, { id: id("D-1") });
    const { status, content, unsentFields } = await getCampaign(world.northwind, campaign);
    expect([status, content.productIds]).toEqual(["draft", [id("D-2")]]);
    expect(unsentFields).toContain("productIds");
  });

  test("leaves nothing to send where the product was added and never sent", async () => {
    const sent = selectProducts("D-1", "D-2");
    const running = () => world.aRunningCampaign({ changes: sent });
    const [same, audience, budget] = [await running(), await running(), await running()];
    const added = campaignChanges(selectProducts("D-3", "D-2", "D-1"));
    const wider = campaignChanges({ selected_audiences: [world.audience("hikers"), world.audience("campers")] });
    await updateCampaign(world.northwind, { id: same, changes: added });
    await updateCampaign(world.northwind, { id: audience, changes: { ...added, ...wider } });
    await updateCampaign(world.northwind, { id: budget, changes: { ...added, ...campaignChanges({ budget: 6_000 }) } });
    await deleteProduct(northwind, { id: id("D-3") });
    const unsent = async (campaign: CampaignId) => {
      const [row] = await db().select().from(campaigns).where(eq(campaigns.id, campaign));
      expect(row?.productIds).toEqual([id("D-2"), id("D-1")]);
      return row && [row.hasUnsentChanges, row.version];
    };
    expect(await unsent(same)).toEqual([false, 1]);
    expect(await unsent(audience)).toEqual([true, 1]);
    expect(await unsent(budget)).toEqual([true, 1]);
    await launchCampaign(world.northwind, { id: same });
    expect(await unsent(same)).toEqual([false, 1]);
    expect(await world.lineItemStatus(world.harbor, same)).toBe("approved active");
  });

  test("concurrent with a launch leaves no campaign with a deleted product", async () => {
    for (let round = 0; round < 12; round += 1) {
      const { id: victim } = await made({ sku: `R-${round}`, name: "Racer" });
      const draft = await world.aDraft({ ...creative, selected_products: [victim] });
      const [launch, deletion] = await Promise.allSettled([
        launchCampaign(world.northwind, { id: draft }),
        deleteProduct(northwind, { id: victim }),
      ]);
      const { content } = await getCampaign(world.northwind, draft);
      const gone = deletion.status === "fulfilled";
      expect(content.productIds).toEqual(gone ? [] : [victim]);
      expect(launch.status).toBe("fulfilled");
      const sent = await db().select().from(campaignVersions).where(eq(campaignVersions.campaignId, draft));
      expect(sent.map((version) => version.productIds)).toEqual(
        launch.status === "fulfilled" ? [gone ? [] : [victim]] : [],
      );
    }
  });

  test("concurrent with its selection leaves no draft with a deleted product", async () => {
    for (let round = 0; round < 12; round += 1) {
      const { id: victim } = await made({ sku: `S-${round}`, name: "Racer" });
      const draft = await world.aDraft(creative);
      await Promise.allSettled([
        updateCampaign(world.northwind, { id: draft, changes: campaignChanges({ selected_products: [victim] }) }),
        deleteProduct(northwind, { id: victim }),
      ]);
      expect(await chosen(draft)).toEqual([]);
    }
  });
});

test("several products move to a category, and those already in it stay unchanged", async () => {
  const selection = { matching: { q: "Pack" } };
  expect(await categorizeProducts(world.northwind, { selection, category: "Bags" })).toEqual({ changed: 3 });
  expect(await categorizeProducts(world.northwind, { selection, category: "Bags" })).toEqual({ changed: 0 });
  const ids = [world.product("NW-PK-040"), world.product("BS-SO-ETH")];
  expect(await categorizeProducts(world.northwind, { selection: { ids }, category: "Packs" })).toEqual({ changed: 1 });
  expect((await getProduct(world.brightside, world.product("BS-SO-ETH"))).category).toBe("Whole bean");
});
