import { and, eq, lt } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { runInBackground, waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { getImport, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import { insertStagedBatch } from "#app/domain/catalog/imports/stage-batches.server.ts";
import { sweepImports } from "#app/domain/catalog/imports/sweep-imports.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { connectStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { shopify } from "#app/domain/catalog/stores/connectors/shopify.server.ts";
import { disconnectStore } from "#app/domain/catalog/stores/disconnect-store.server.ts";
import { fetchStoreProducts } from "#app/domain/catalog/stores/fetch-store-products.server.ts";
import { getStore, listStores } from "#app/domain/catalog/stores/list-stores.server.ts";
import { maxStores } from "#app/domain/catalog/stores/store.ts";
import { storeSchema } from "#app/domain/catalog/stores/store-payloads.ts";
import { syncDueStores } from "#app/domain/catalog/stores/sync-due-stores.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import { updateStore } from "#app/domain/catalog/stores/update-store.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type ImportId, newId, type StoreId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { auditEntries, productImports, productStores, products } from "#db/schema/index.ts";
import { demoAccountId } from "#db/seed/demo-accounts.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import type { FakeServer } from "#tests/support/fakes/fake-integrations.ts";
import { type ShopifyVariant, startShopify, startWooCommerce } from "#tests/support/fakes/fake-stores.ts";
import { stopAfterTest } from "#tests/support/stop-after-test.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let by: Ctx<TenantActor>;
beforeAll(async () => {
  world = await createWorld(db());
  by = world.fern;
});
beforeEach(async () => {
  const local = readEnv({ SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" });
  vi.spyOn(environment, "env").mockReturnValue(local);
  await db().delete(productImports);
  await db().delete(productStores);
  await db().delete(products);
});

const many = (count: number): ShopifyVariant[] =>
  Array.from({ length: count }, (_, index) => ({
    title: `Tee ${index}`,
    handle: `tee-${index}`,
    options: ["S"],
    sku: `T-${index}`,
    quantity: index,
    category: "Apparel > Tees",
  }));

const asShopify = (shop: FakeServer, more: Record<string, unknown> = {}) =>
  storeSchema.parse({ kind: "shopify", store_url: shop.origin, access_token: "shpat_good", ...more });
const asWoo = (shop: FakeServer, more: Record<string, unknown> = {}) =>
  storeSchema.parse({
    kind: "woocommerce",
    store_url: `${shop.origin}/shop/`,
    consumer_key: "ck_good",
    consumer_secret: "cs_good",
    ...more,
  });

async function sync(id: StoreId, who = by) {
  const made = await syncStore(who, { id });
  await waitForBackgroundTasks();
  return getImport(who, made.id);
}

const skus = async () =>
  (await listProducts(by, { limit: 500, sort: "newest" })).rows.map(
    ({ sku, name, priceCents, inventory, category }) => [sku, name, priceCents, inventory, category],
  );

describe("a Shopify store", () => {
  test("is tried first, stored encrypted, synced page by page and shown with its last result", async () => {
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants: many(250) }));
    const { id } = await connectStore(by, asShopify(shop));
    const [row] = await db().select().from(productStores);
    expect([row?.name, row?.credential?.includes("shpat_good")]).toEqual(["Sahra & Beyond", false]);
    const lines = await db().select().from(auditEntries).where(eq(auditEntries.entityId, id));
    expect(JSON.stringify(lines)).not.toContain("shpat_good");
    const done = await sync(id);
    expect(done).toMatchObject({
      status: "succeeded",
      created: 250,
      updated: 0,
      rejected: 0,
      fileName: "Sahra & Beyond",
    });
    expect(shop.asked).toHaveLength(1 + 3);
    expect(await db().$count(products)).toBe(250);
    expect(await getStore(by, id)).toMatchObject({
      problem: null,
      frequency: "daily",
      last: { id: done.id, status: "succeeded", created: 250 },
    });
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 0, updated: 250, unchanged: 250 });
  });

  test("yields the same variants as its export", async () => {
    const variants: ShopifyVariant[] = [
      { title: "Mug", handle: "mug", sku: "M", price: "9.50", tracked: false, productType: "Kitchen" },
      {
        title: "Tee",
        handle: "tee",
        options: ["S", "Größe"],
        sku: "",
        quantity: -2,
        category: "Apparel",
        description: "<p>Soft &amp; heavy</p>",
        image: "https://cdn.example.com/tee.jpg",
      },
      { title: "Cap", handle: "cap", sku: "C", price: "1" },
    ];
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants }));
    const { id } = await connectStore(by, asShopify(shop));
    const strict = await sync(id);
    expect(strict).toMatchObject({ created: 1, rejected: 2 });
    const problems = await listImportProblems(by, { id: strict.id, limit: 10 });
    expect(problems.map(({ row, column, message }) => `${row} ${column}: ${message}`)).toEqual([
      "2 SKU: SKU is missing. Turn on “Generate a SKU” to create one.",
      "3 Category: Category is missing",
    ]);
    await updateStore(by, { id, changes: { frequency: "weekly", derive_sku: true, default_category: "Hats" } });
    expect(await sync(id)).toMatchObject({ created: 2, updated: 1, rejected: 0, derivedSkus: 1, defaultCategories: 1 });
    const rows = (await listProducts(by, {})).rows;
    expect(rows.map(({ sku, name, inventory, category }) => [sku, name, inventory, category])).toEqual([
      ["C", "Cap", null, "Hats"],
      ["M", "Mug", null, "Kitchen"],
      ["tee-s-große", "Tee – S / Größe", 0, "Apparel"],
    ]);
    expect(rows[2]).toMatchObject({ description: "Soft & heavy", imageUrl: "https://cdn.example.com/tee.jpg" });
  });

  test("whose rate limit is used up is retried after the time it needs", async () => {
    const shop = await stopAfterTest(
      startShopify({ token: "shpat_good", variants: many(350), points: 1_000, restoreRate: 100 }),
    );
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const connector = shopify({ storeUrl: shop.origin, accessToken: "shpat_good" }, { pause });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await connector.readPage(cursor);
      found.push(...page.products.map(({ sku }) => sku));
      cursor = page.next;
    } while (cursor !== undefined);
    expect([found.length, new Set(found).size]).toEqual([350, 350]);
    expect(pauses.length).toBeGreaterThan(0);
    expect(Math.max(...pauses)).toBe(7_000);
  });

  test("whose rate limit needs longer than a minute is not waited for", async () => {
    const shop = await stopAfterTest(
      startShopify({ token: "shpat_good", variants: many(150), points: 1_000, restoreRate: 5 }),
    );
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const connector = shopify({ storeUrl: shop.origin, accessToken: "shpat_good" }, { pause });
    const { next } = await connector.readPage(undefined);
    await expect(connector.readPage(next)).rejects.toMatchObject({ problem: "rate_limited" });
    expect(pauses).toEqual([]);
  });

  test("that fails internally under the status 200 is asked again, and unreachable when it goes on", async () => {
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants: many(1) }));
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const connector = shopify({ storeUrl: shop.origin, accessToken: "shpat_good" }, { pause });
    const errors = [{ message: "Internal error", extensions: { code: "INTERNAL_SERVER_ERROR", requestId: "r" } }];
    const failure = { status: 200, body: JSON.stringify({ errors }) };
    shop.interrupt(failure);
    expect((await connector.readPage(undefined)).products).toHaveLength(1);
    expect(pauses).toEqual([1_000]);
    shop.interrupt(...Array.from({ length: 6 }, () => failure));
    await expect(connector.readPage(undefined)).rejects.toMatchObject({ problem: "unreachable" });
  });

  test.each([
    [{ access_token: "wrong" }, "access_token", "The Shopify store rejected the credentials"],
    [{ store_url: "http://127.0.0.1:9" }, "store_url", "The Shopify store could not be reached"],
  ])("with %j is not connected", async (more, field, message) => {
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants: [] }));
    const refusal = await domainErrorFrom(connectStore(by, asShopify(shop, more)));
    expect(refusal.fields).toEqual({ [field]: [message] });
    expect(await listStores(by)).toEqual([]);
  });

  test("by an app's client is read with tokens that are replaced when they expire", async () => {
    const client = { id: "client", secret: "shpss_good", uses: 2 };
    const shop = await stopAfterTest(startShopify({ token: "none", variants: many(350), client }));
    const given = { access_token: null, client_id: "client" };
    const wrong = await domainErrorFrom(connectStore(by, asShopify(shop, { ...given, client_secret: "wrong" })));
    expect(wrong.fields).toEqual({ client_id: ["The Shopify store rejected the credentials"] });
    const { id } = await connectStore(by, asShopify(shop, { ...given, client_secret: "shpss_good" }));
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 350 });
  });

  test.each([
    [{}, "client_id"],
    [{ client_id: "client" }, "client_secret"],
    [{ client_secret: "shpss_good", access_token: "shpat_good" }, "client_id"],
  ])("needs a whole client or a token: %j", (given, field) => {
    const { error } = storeSchema.safeParse({ kind: "shopify", store_url: "example.myshopify.com", ...given });
    expect(error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
      [field, "Enter the app's client ID and client secret, or an Admin API access token"],
    ]);
  });

  test("with prices in another currency is not connected", async () => {
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants: [], currency: "EUR" }));
    const refusal = await domainErrorFrom(connectStore(by, asShopify(shop)));
    expect(refusal.fields).toEqual({
      store_url: ["The Shopify store uses a currency other than US dollars, and prices are never converted"],
    });
  });
});

test("what a store does not sell is imported as such, and what it stops selling changes", async () => {
  const mug: ShopifyVariant = { title: "Mug", handle: "mug", sku: "M", productType: "Cups" };
  const variants = [mug, { ...mug, sku: "N", status: "DRAFT" }, { ...mug, sku: "O", status: "UNLISTED" }];
  const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants }));
  const { id } = await connectStore(by, asShopify(shop));
  await sync(id);
  const statuses = async () =>
    (await listProducts(by, { q: "Mug" })).rows.map(({ sku, listingStatus }) => `${sku} ${listingStatus}`).sort();
  expect(await statuses()).toEqual(["M active", "N draft", "O active"]);
  mug.status = "ARCHIVED";
  expect(await sync(id)).toMatchObject({ created: 0, updated: 3, unchanged: 2 });
  expect(await statuses()).toEqual(["M archived", "N draft", "O active"]);
});

test("a Shopify product that is not published to the online store is a draft, as in Shopify's export", async () => {
  const mug: ShopifyVariant = { title: "Mug", handle: "mug", sku: "M", productType: "Cups" };
  const variants = [
    mug,
    { ...mug, sku: "N", isPublished: false },
    { ...mug, sku: "O", status: "ARCHIVED", isPublished: false },
  ];
  const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants }));
  const { id } = await connectStore(by, asShopify(shop));
  await sync(id);
  const { rows } = await listProducts(by, { q: "Mug" });
  expect(rows.map(({ sku, listingStatus }) => `${sku} ${listingStatus}`).sort()).toEqual([
    "M active",
    "N draft",
    "O archived",
  ]);
});

test("a WooCommerce sale counts while the store says so, and only published products are active", async () => {
  const sale = { regular_price: "45", sale_price: "30" };
  const woo = [
    { id: 1, ...sale, on_sale: false, status: "publish", date_on_sale_to: "2020-01-31T23:59:59" },
    { id: 2, ...sale, on_sale: true, status: "draft" },
    { id: 3, status: "draft", variations: [{ id: 4, sku: "V", ...sale, on_sale: false, status: "publish" }] },
  ];
  const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_good", products: woo }));
  const { id } = await connectStore(by, asWoo(shop));
  await sync(id);
  const rows = (await listProducts(by, {})).rows;
  expect(rows.map(({ sku, priceCents, status }) => [sku, priceCents, status]).sort()).toEqual([
    ["V", 4_500, "draft"],
    ["W-1", 4_500, "active"],
    ["W-2", 3_000, "draft"],
  ]);
});

test("WooCommerce's categories and brands are named as people see them, in a sync as in its export", async () => {
  const [category, brand] = ["Home &amp; Garden &gt; B&B", "Marks &#038; Co"];
  const woo = [{ id: 1, categories: [{ name: category }], brands: [{ name: brand }] }];
  const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_good", products: woo }));
  const { id } = await connectStore(by, asWoo(shop));
  expect(await sync(id)).toMatchObject({ status: "succeeded", created: 1 });
  const [product] = (await listProducts(by, {})).rows;
  expect(product).toMatchObject({ category: "Home & Garden > B&B", brand: "Marks & Co" });
});

describe("a WooCommerce store", () => {
  const hoodie = {
    id: 900,
    name: "Hoodie",
    sku: "hoodie",
    description: "<p>Warm</p>",
    images: [{ src: "https://cdn.example.com/hoodie.jpg" }],
    variations: [
      {
        id: 901,
        sku: "hoodie-red",
        regular_price: "45",
        sale_price: "42.50",
        price: "42.50",
        attributes: [{ id: 1, name: "Color", option: "Red" }],
        stock_quantity: 4,
        stock_status: "instock",
      },
      { id: 902, sku: "", regular_price: "45", attributes: [{ option: "Blue" }], stock_status: "outofstock" },
    ],
  };

  test("yields its simple products and the variations of others, over all pages", async () => {
    const simple = Array.from({ length: 150 }, (_, index) => ({ id: index + 1 }));
    const grouped = { id: 800, type: "grouped" };
    const shop = await stopAfterTest(
      startWooCommerce({ key: "ck_good", secret: "cs_good", products: [...simple, grouped, hoodie] }),
    );
    const { id } = await connectStore(by, asWoo(shop, { derive_sku: "on" }));
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 152, skipped: 2, derivedSkus: 1 });
    const rows = await skus();
    expect(rows.slice(0, 3)).toEqual([
      ["wc-902", "Hoodie – Blue", 4_500, 0, "Clothing"],
      ["hoodie-red", "Hoodie – Red", 4_250, 4, "Clothing"],
      ["W-150", "Product 150", 1_000, null, "Clothing"],
    ]);
    const [red] = (await listProducts(by, { q: "hoodie-red" })).rows;
    expect(red).toMatchObject({
      description: "Warm",
      imageUrl: "https://cdn.example.com/hoodie.jpg",
      groupKey: "hoodie",
    });
  });

  test("has categories with those above them, as its export writes them", async () => {
    const filler = Array.from({ length: 150 }, (_, index) => ({ id: 1_000 + index, name: `C ${index}`, parent: 0 }));
    const categories = [
      { id: 7, name: "Tees &amp; Tops", parent: 5 },
      { id: 8, name: "Loop", parent: 9 },
      { id: 9, name: "Loop", parent: 8 },
      ...filler,
      { id: 5, name: "Clothing", parent: 0 },
    ];
    const woo = [
      {
        id: 1,
        categories: [
          { id: 7, name: "Tees &amp; Tops" },
          { id: 5, name: "Clothing" },
        ],
      },
      { id: 2, categories: [{ id: 99, name: "Deleted meanwhile" }] },
      {
        id: 3,
        categories: [{ id: 7, name: "Tees &amp; Tops" }],
        variations: [{ id: 4, sku: "V", regular_price: "9" }],
      },
      { id: 5, categories: [{ id: 8, name: "Loop" }] },
    ];
    const shop = await stopAfterTest(
      startWooCommerce({ key: "ck_good", secret: "cs_good", products: woo, categories }),
    );
    const { id } = await connectStore(by, asWoo(shop));
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 4, rejected: 0 });
    const named = (await skus()).map(([sku, , , , category]) => [sku, category]).sort();
    expect(named.slice(0, 3)).toEqual([
      ["V", "Clothing > Tees & Tops"],
      ["W-1", "Clothing > Tees & Tops"],
      ["W-2", "Deleted meanwhile"],
    ]);
    expect(shop.asked.filter((request) => request.includes("/products/categories"))).toHaveLength(2);
  });

  test("whose categories never end fails as too large, before they are read", async () => {
    const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_good", products: [{ id: 1 }] }));
    const { id } = await connectStore(by, asWoo(shop));
    const endless = { status: 200, headers: { "X-WP-TotalPages": "100000" }, body: "[]" };
    shop.interrupt("serve", "serve", endless);
    expect(await sync(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("has more than 250,000 products"),
    });
    expect(shop.asked.filter((request) => request.includes("/products/categories"))).toHaveLength(1);
  });

  test("is read without the metadata of its plugins, which may be larger than a response may be", async () => {
    const meta = [{ id: 1, key: "_page_builder", value: "x".repeat(17 * 1024 * 1024) }];
    const woo = [{ id: 1, meta_data: meta }];
    const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_good", products: woo }));
    const { id } = await connectStore(by, asWoo(shop));
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 1 });
  });

  test("with a response that is too large fails at once, and is not called unreachable", async () => {
    const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_good", products: [{ id: 1 }] }));
    const { id } = await connectStore(by, asWoo(shop));
    shop.interrupt("serve", { status: 200, body: `[${" ".repeat(17 * 1024 * 1024)}]` });
    expect(await sync(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("returned an unexpected response"),
    });
  });

  test("with a wrong secret is not connected, though its currency is public", async () => {
    const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_other", products: [] }));
    const refusal = await domainErrorFrom(connectStore(by, asWoo(shop)));
    expect(refusal.fields).toEqual({ consumer_key: ["The WooCommerce store rejected the credentials"] });
  });

  test("that is not a store is reported as such", async () => {
    const shop = await stopAfterTest(startWooCommerce({ key: "ck_good", secret: "cs_good", products: [] }));
    const refusal = await domainErrorFrom(connectStore(by, asWoo(shop, { store_url: `${shop.origin}/elsewhere` })));
    expect(refusal.fields).toEqual({ store_url: ["The WooCommerce store was not found at this URL"] });
  });
});

describe("a sync", () => {
  const connected = async (variants = many(250)) => {
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants }));
    return { shop, ...(await connectStore(by, asShopify(shop))) };
  };
  const later = (minutes: number) => ({
    ...world.job,
    clock: () => new Date(world.clock().getTime() + minutes * 60_000),
  });
  const resume = async (minutes: number) => {
    const count = await syncDueStores(later(minutes));
    await waitForBackgroundTasks();
    return count;
  };

  test("that is interrupted continues from there, and creates each product once", async () => {
    const { shop, id } = await connected();
    // The first page arrives; then the store fails all five attempts at the second.
    shop.interrupt("serve", ...Array.from({ length: 5 }, () => ({ status: 503, headers: { "Retry-After": "0" } })));
    const interruptedSync = await sync(id);
    expect(interruptedSync).toMatchObject({ status: "running", rowsRead: 100 });
    expect(await getStore(by, id)).toMatchObject({ problem: "unreachable" });
    expect(await db().$count(products)).toBe(0);
    await expectDomainError(syncStore(by, { id }), "invalid_transition", /already syncing/);
    // The cleanup of files does not delete it.
    expect(await sweepImports(later(5))).toBe(0);
    const before = shop.asked.length;
    expect(await resume(5)).toBe(1);
    expect(shop.asked.length - before).toBe(2);
    expect(await getImport(by, interruptedSync.id)).toMatchObject({ status: "succeeded", created: 250, rowsRead: 250 });
    expect(await getStore(by, id)).toMatchObject({ problem: null });
  });

  test("that another process continues is not touched by its first process after a pause", async () => {
    const { shop, id } = await connected();
    const unavailable = Array.from({ length: 5 }, () => ({ status: 503, headers: { "Retry-After": "0" } }));
    shop.interrupt("serve", ...unavailable);
    const begun = await sync(id);
    shop.interrupt(...unavailable);
    expect(await resume(5)).toBe(1);
    const reported: unknown[] = [];
    const first = { ...by, report: (error: unknown) => void reported.push(error) };
    await fetchStoreProducts(first, { id: begun.id, run: 1 });
    shop.interrupt({ status: 401 });
    await fetchStoreProducts(first, { id: begun.id, run: 1 });
    expect(await getImport(by, begun.id)).toMatchObject({ status: "running", rowsRead: 100 });
    expect(await getStore(by, id)).toMatchObject({ problem: "unreachable" });
    expect(await resume(20)).toBe(1);
    expect(await getImport(by, begun.id)).toMatchObject({ status: "succeeded", created: 250, rowsRead: 250 });
    expect(reported).toEqual([]);
  });

  test("that is interrupted while it is committed does not read the store again", async () => {
    const { shop, id } = await connected(many(3));
    const done = await sync(id);
    const rows = many(3).map(({ sku, title }, at) => ({
      i: newId(),
      r: at + 1,
      s: sku,
      n: title,
      c: "Tees",
      p: 1_000,
    }));
    // As it was before the products were committed.
    await db().delete(products);
    await insertStagedBatch(by, { id: done.id, number: 0, rows: JSON.stringify(rows) });
    await db()
      .update(productImports)
      .set({ status: "running", finishedAt: null, created: 0, heartbeatAt: world.clock() })
      .where(eq(productImports.id, done.id));
    const before = shop.asked.length;
    expect(await resume(5)).toBe(1);
    expect(shop.asked).toHaveLength(before);
    expect(await getImport(by, done.id)).toMatchObject({ status: "succeeded", created: 3, rowsRead: 3 });
    expect(await db().$count(products)).toBe(3);
  });

  test("whose process dies again and again fails after its last attempt", async () => {
    const { id } = await connected(many(3));
    const done = await sync(id);
    const resumeWith = async (attempts: number, heartbeatAt: Date) => {
      await db()
        .update(productImports)
        .set({ status: "running", finishedAt: null, error: null, created: 0, rowsRead: 0, attempts, heartbeatAt })
        .where(eq(productImports.id, done.id));
      expect(await resume(5)).toBe(1);
      const [row] = await db().select().from(productImports).where(eq(productImports.id, done.id));
      return [row?.status, row?.attempts];
    };
    expect(await resumeWith(4, world.clock())).toEqual(["succeeded", 5]);
    // A process that stops in order has not failed.
    expect(await resumeWith(5, new Date(0))).toEqual(["succeeded", 5]);
    expect(await resumeWith(5, world.clock())).toEqual(["failed", 5]);
    expect(await getImport(by, done.id)).toMatchObject({ error: expect.stringMatching(/^The sync was interrupted/) });
    expect(await db().$count(products)).toBe(3);
    expect((await sync(id)).status).toBe("succeeded");
  });

  test("that is rate limited waits as long as Retry-After says, and continues", async () => {
    const { shop, id } = await connected(many(120));
    shop.interrupt(
      { status: 429, headers: { "Retry-After": "0.01" } },
      { status: 429, headers: { "Retry-After": "0" } },
    );
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 120 });
    shop.interrupt({ status: 429, headers: { "Retry-After": "3600" } });
    expect(await sync(id)).toMatchObject({ status: "running" });
    expect(await getStore(by, id)).toMatchObject({ problem: "rate_limited" });
    expect(await resume(2)).toBe(1);
    expect(await getStore(by, id)).toMatchObject({ problem: null, last: { status: "succeeded", unchanged: 120 } });
  });

  test("fails with a message when retries do not help, and leaves the catalog unchanged", async () => {
    const { shop, id } = await connected();
    shop.interrupt(...Array.from({ length: 6 }, () => ({ status: 429, headers: { "Retry-After": "3600" } })));
    const begun = await sync(id);
    for (let tried = 1; tried <= 5; tried += 1) await resume(tried * 20);
    expect(await getImport(by, begun.id)).toMatchObject({
      status: "failed",
      error: "Sahra & Beyond is rate limiting our requests. Your catalog was not changed.",
    });
    expect(await db().$count(products)).toBe(0);
  });

  test("with a revoked key fails at once, and the store shows it", async () => {
    const { shop, id } = await connected();
    shop.interrupt({ status: 401 });
    const failed = await sync(id);
    expect([failed.status, failed.error]).toEqual([
      "failed",
      "Sahra & Beyond rejected the credentials. Your catalog was not changed.",
    ]);
    expect(await getStore(by, id)).toMatchObject({ problem: "invalid_credentials" });
  });

  test("with responses that are invalid, or never end, fails", async () => {
    const { shop, id } = await connected();
    shop.interrupt({ status: 200 });
    expect(await sync(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("returned an unexpected response"),
    });
    shop.interrupt({ status: 302, headers: { Location: "http://169.254.169.254/" } });
    expect(await sync(id)).toMatchObject({ status: "failed", error: expect.stringContaining("not found") });
  });

  test("of more products than a file may have fails, and says what the limit is and what to do", async () => {
    const { shop, id } = await connected();
    shop.interrupt("serve", ...Array.from({ length: 5 }, () => ({ status: 503, headers: { "Retry-After": "0" } })));
    const begun = await sync(id);
    // As if its first page had been the last of 249,900 products.
    await db().update(productImports).set({ rowsRead: 249_900 }).where(eq(productImports.id, begun.id));
    expect(await resume(5)).toBe(1);
    expect(await getImport(by, begun.id)).toMatchObject({
      status: "failed",
      error:
        "Sahra & Beyond has more than 250,000 products or 50 MB. Upload its products in several files instead. Your catalog was not changed.",
    });
    expect(await getStore(by, id)).toMatchObject({ problem: "too_large" });
    expect(await db().$count(products)).toBe(0);
  });

  test("of a store that has changed its currency fails, and no price is taken for dollars", async () => {
    const shopify = { token: "shpat_good", variants: many(3), currency: "USD" };
    const woo = { key: "ck_good", secret: "cs_good", products: [{ id: 1 }], currency: "USD" };
    const stores = [
      await connectStore(by, asShopify(await stopAfterTest(startShopify(shopify)))),
      await connectStore(by, asWoo(await stopAfterTest(startWooCommerce(woo)))),
    ];
    for (const currency of ["EUR", "USD"]) {
      shopify.currency = currency;
      woo.currency = currency;
      for (const { id } of stores) {
        const { status, error } = await sync(id);
        expect([status, error]).toEqual(
          currency === "USD" ? ["succeeded", null] : ["failed", expect.stringMatching(/other than US dollars/)],
        );
        expect((await getStore(by, id)).problem).toBe(currency === "USD" ? null : "unsupported_currency");
      }
      expect(await db().$count(products)).toBe(currency === "USD" ? 4 : 0);
    }
  });

  test("starts when it is due, once however many processes check", async () => {
    const { id } = await connected(many(3));
    expect(await resume(60)).toBe(0);
    const counts = await Promise.all([1, 2, 3].map(() => syncDueStores(later(25 * 60))));
    await waitForBackgroundTasks();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await getStore(by, id)).toMatchObject({ last: { status: "succeeded", created: 3 } });
    expect(await resume(25 * 60)).toBe(0);
    await updateStore(by, { id, changes: { frequency: "manual", derive_sku: false, default_category: null } });
    expect(await resume(100 * 24 * 60)).toBe(0);
  });

  test("does not start again when another process's has ended since the store was found due", async () => {
    const { id } = await connected(many(3));
    const late = await db().transaction(async (tx) => {
      const found = deferRejection(syncDueStores(later(25 * 60)));
      await tx
        .update(productStores)
        .set({ nextSyncAt: later(49 * 60).clock() })
        .where(eq(productStores.id, id));
      await waitForBlockedSessions(db(), 1);
      return { found };
    });
    expect(await late.found).toBe(0);
    await waitForBackgroundTasks();
    expect(await db().$count(productImports)).toBe(0);
  });

  test("is due when it was, and each setting is as changed, after changes at the same time", async () => {
    const { id } = await connected(many(3));
    const nextSyncAt = later(49 * 60).clock();
    const changes = await db().transaction(async (tx) => {
      // As the start of a sync does.
      await tx.update(productStores).set({ nextSyncAt }).where(eq(productStores.id, id));
      const begun = [{ derive_sku: true }, { default_category: "Hats" }].map((one) =>
        deferRejection(updateStore(by, { id, changes: { default_category: undefined, ...one } })),
      );
      await waitForBlockedSessions(db(), 2);
      return { begun };
    });
    await Promise.all(changes.begun);
    expect(await getStore(by, id)).toMatchObject({ deriveSku: true, defaultCategory: "Hats", nextSyncAt });
  });

  /** Inserts stores of a publisher, four as one run starts syncs, due before all others. */
  const storesOfHarbor = async (count = 4) => {
    const stores = [1, 2, 3, 4].slice(0, count).map((minute) => {
      const id = newId<StoreId>();
      const made = { kind: "shopify", name: "A shop", credential: Buffer.of(0), checkedAt: world.clock() } as const;
      const storeUrl = `https://${id}.example.com`;
      return { id, accountId: world.harbor.actor.accountId, storeUrl, nextSyncAt: later(minute).clock(), ...made };
    });
    await db().insert(productStores).values(stores);
    return stores;
  };
  /** Inserts a running sync of each store, whose process was alive at that time. */
  const runningSyncs = async (stores: Awaited<ReturnType<typeof storesOfHarbor>>, heartbeatAt: Date) => {
    const syncs = stores.map(({ id, accountId, name }) => {
      const made = { commitRequested: true, fileName: name, createdAt: world.clock(), heartbeatAt };
      return { id: newId<ImportId>(), accountId, storeId: id, ...made };
    });
    await db().insert(productImports).values(syncs);
  };
  const harborIs = (status: "approved" | "suspended") => {
    const change = status === "approved" ? approveAccount : suspendAccount;
    return change(asOperator(), { accountId: world.harbor.actor.accountId });
  };
  const ofHarbor = eq(productImports.accountId, demoAccountId("harbor"));

  test("of suspended accounts waits for their approval, and holds up no other", async () => {
    await storesOfHarbor();
    const { id } = await connected(many(3));
    await harborIs("suspended");
    try {
      expect(await resume(25 * 60)).toBe(1);
      expect(await getStore(by, id)).toMatchObject({ last: { status: "succeeded", created: 3 } });
      expect(await db().$count(productImports, ofHarbor)).toBe(0);
    } finally {
      await harborIs("approved");
    }
    // Two of an account at once.
    expect(await resume(25 * 60)).toBe(2);
    expect(await resume(25 * 60)).toBe(2);
    expect(await db().$count(productImports, ofHarbor)).toBe(4);
  });

  test("of suspended accounts that is interrupted does so too", async () => {
    await runningSyncs(await storesOfHarbor(), later(-60).clock());
    await db().update(productStores).set({ nextSyncAt: null });
    const { shop, id } = await connected();
    shop.interrupt("serve", ...Array.from({ length: 5 }, () => ({ status: 503, headers: { "Retry-After": "0" } })));
    await sync(id);
    await harborIs("suspended");
    try {
      expect(await resume(5)).toBe(1);
      expect(await db().$count(productImports, and(ofHarbor, eq(productImports.heartbeatAt, later(-60).clock())))).toBe(
        4,
      );
    } finally {
      await harborIs("approved");
    }
    expect(await resume(5)).toBe(4);
  });

  test("of an account waits while two of it run, and holds up no other account's", async () => {
    const stores = await storesOfHarbor();
    await runningSyncs(stores.slice(0, 2), later(25 * 60).clock());
    const { id } = await connected(many(3));
    expect(await resume(25 * 60)).toBe(1);
    expect(await getStore(by, id)).toMatchObject({ last: { status: "succeeded", created: 3 } });
    // None is postponed: a sync that ends makes room for the next.
    expect(await db().$count(productStores, lt(productStores.nextSyncAt, later(5).clock()))).toBe(4);
    await db()
      .delete(productImports)
      .where(eq(productImports.storeId, stores[0]?.id as StoreId));
    expect(await resume(25 * 60)).toBe(1);
  });

  test("waits where sixteen run in the process, and starts once one of them has ended", async () => {
    const { id } = await connected(many(3));
    const ends: (() => void)[] = [];
    const run = (work: "fetch_store" | "refresh_audience") =>
      void runInBackground(world.job, { work }, () => new Promise((end) => ends.push(end)));
    for (let count = 0; count < 15; count += 1) run("fetch_store");
    await storesOfHarbor();
    expect(await syncDueStores(later(25 * 60))).toBe(1);
    run("fetch_store");
    run("refresh_audience");
    expect(await syncDueStores(later(25 * 60))).toBe(0);
    for (const end of ends.splice(0)) end();
    await waitForBackgroundTasks();
    expect(await resume(25 * 60)).toBe(3);
    expect(await getStore(by, id)).toMatchObject({ last: { status: "succeeded", created: 3 } });
  });

  test("that is still running when the next is due is postponed, and holds up no other store", async () => {
    const [store] = await storesOfHarbor(1);
    await runningSyncs(store ? [store] : [], later(25 * 60).clock());
    const { id } = await connected(many(3));
    expect(await resume(25 * 60)).toBe(1);
    expect(await db().$count(productStores, lt(productStores.nextSyncAt, later(25 * 60).clock()))).toBe(0);
    expect(await getStore(by, id)).toMatchObject({ last: { status: "succeeded", created: 3 } });
  });

  test("is the account's own, and ends with the connection", async () => {
    const { id } = await connected(many(3));
    for (const stranger of [world.harbor, world.northwind]) {
      await expectDomainError(syncStore(stranger, { id }), "not_found");
      await expectDomainError(disconnectStore(stranger, { id }), "not_found");
      await expectDomainError(getStore(stranger, id), "not_found");
      const changes = { frequency: "daily", derive_sku: false, default_category: null } as const;
      await expectDomainError(updateStore(stranger, { id, changes }), "not_found");
      expect(await listStores(stranger)).toEqual([]);
    }
    const done = await sync(id);
    await disconnectStore(by, { id });
    await expectDomainError(syncStore(by, { id }), "not_found");
    expect(await listStores(by)).toEqual([]);
    expect(await resume(100 * 24 * 60)).toBe(0);
    expect(await getImport(by, done.id)).toMatchObject({ status: "succeeded", created: 3 });
    const [row] = await db().select().from(productStores);
    expect(row?.credential).toBeNull();
  });

  test.each([
    ["its only page", 3],
    ["a page of several", 250],
  ])(
    "of a store that is disconnected while it waits for %s changes nothing, and asks for no more",
    async (_, count) => {
      const { shop, id } = await connected(many(count));
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      shop.interrupt(held);
      const begun = await syncStore(by, { id });
      await vi.waitFor(() => expect(shop.asked).toHaveLength(2));
      await disconnectStore(by, { id });
      release();
      await waitForBackgroundTasks();
      expect(shop.asked).toHaveLength(2);
      expect(await getImport(by, begun.id)).toMatchObject({
        status: "failed",
        error: "The store was disconnected during the sync. Your catalog was not changed.",
      });
      expect(await db().$count(products)).toBe(0);
    },
  );

  test("may run for another account's same store, and ten of one account leave capacity for others", async () => {
    const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants: many(1) }));
    const first = await connectStore(world.harbor, asShopify(shop));
    const others = Array.from({ length: maxStores - 1 }, () => {
      const id = newId<StoreId>();
      const storeUrl = `https://${id}.example.com`;
      const made = { kind: "shopify", name: "A shop", credential: Buffer.of(0), checkedAt: world.clock() } as const;
      return { id, accountId: world.harbor.actor.accountId, storeUrl, ...made };
    });
    await db().insert(productStores).values(others);
    const second = await connectStore(by, asShopify(shop));
    expect(second.id).not.toBe(first.id);
    expect((await connectStore(by, asShopify(shop))).id).toBe(second.id);
    const more = await stopAfterTest(startShopify({ token: "shpat_good", variants: many(1) }));
    await expectDomainError(connectStore(world.harbor, asShopify(more)), "limit_reached", /reached the limit/);
    expect(await listStores(world.harbor)).toHaveLength(maxStores);
    await disconnectStore(world.harbor, first);
    const eleventh = await connectStore(world.harbor, asShopify(more));
    await expectDomainError(connectStore(world.harbor, asShopify(shop)), "limit_reached", /reached the limit/);
    await disconnectStore(world.harbor, eleventh);
    expect((await connectStore(world.harbor, asShopify(shop))).id).toBe(first.id);
  });

  test("with credentials encrypted by another key requires connecting again", async () => {
    const { id } = await connected(many(3));
    const other = readEnv({ SESSION_SECRET: "t".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" });
    vi.spyOn(environment, "env").mockReturnValue(other);
    expect(await sync(id)).toMatchObject({ status: "failed", error: expect.stringContaining("must be reconnected") });
  });
});

test("private addresses are rejected unless development allows them", async () => {
  const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants: [] }));
  vi.spyOn(environment, "env").mockReturnValue(readEnv({ SESSION_SECRET: "s".repeat(32) }));
  for (const store_url of [
    shop.origin,
    "https://10.0.0.1",
    "https://[::1]",
    "https://169.254.169.254",
    "https://2130706433",
  ]) {
    const refusal = await domainErrorFrom(connectStore(by, asShopify(shop, { store_url })));
    expect(refusal.fields).toEqual({ store_url: ["The Shopify store could not be reached"] });
  }
  expect(shop.asked).toEqual([]);
});

test.each([
  ["example.myshopify.com", "https://example.myshopify.com"],
  ["https://shop.example.com/store/", "https://shop.example.com/store"],
  ["http://shop.example.com", undefined],
  ["https://user:pw@shop.example.com", undefined],
  ["https://:pw@shop.example.com", undefined],
  ["javascript:alert(1)", undefined],
  ["file:///etc/passwd", undefined],
])("the URL %s is read as %s", (store_url, read) => {
  const given = { kind: "shopify", store_url, access_token: "x" };
  expect(storeSchema.safeParse(given).data?.store_url).toBe(read);
});
