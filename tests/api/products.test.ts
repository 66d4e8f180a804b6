import { expect, test, vi } from "vitest";
import * as productUse from "#app/domain/catalog/product-use.server.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { launchable, member, readyAudience } from "./api.ts";

const db = useDatabase();

const kettle = { name: "Kettle", sku: "K-1", category: "Kitchen", price: 49.9 };

test.each(["advertiser", "publisher"] as const)("an %s adds, reads, changes and deletes a product", async (side) => {
  const { api, byKey } = await member(side);
  const missing = await api("POST /api/products", { body: JSON.parse("{}") });
  expect([missing.status, missing.error?.fields]).toEqual([
    422,
    {
      name: ["Enter a product name"],
      sku: ["Enter a SKU"],
      category: ["Enter a category"],
      price: ["Enter a price in US dollars, such as 12 or 12.50"],
    },
  ]);
  const created = await byKey("POST /api/products", { body: kettle });
  const { product } = created.body;
  expect([created.status, product]).toEqual([
    201,
    {
      id: expect.any(String),
      ...kettle,
      inventory: null,
      status: "active",
      listing_status: "active",
      image: null,
      description: null,
      brand: null,
      group: null,
    },
  ]);
  const params = { id: product.id };
  const image = "https://cdn.example.com/kettle.png";
  const changed = await api("PATCH /api/products/{id}", { params, body: { price: 1_200.5, inventory: 3, image } });
  expect(changed.body.product).toEqual({ ...product, price: 1_200.5, inventory: 3, status: "low_stock", image });
  expect((await api("GET /api/products/{id}", { params })).body).toEqual(changed.body);
  const conflict = await api("POST /api/products", { body: kettle });
  expect([conflict.status, conflict.error?.fields]).toEqual([
    422,
    { sku: ["This SKU is already in use. Enter a different one."] },
  ]);
  expect((await api("DELETE /api/products/{id}", { params })).body).toEqual({ success: true });
  expect((await api("GET /api/products/{id}", { params })).status).toBe(404);
});

test("several are assigned a category and deleted; products of campaigns are kept", async () => {
  const advertiser = await member("advertiser");
  const { api } = advertiser;
  const add = async (sku: string) => (await api("POST /api/products", { body: { ...kettle, sku } })).body.product.id;
  const products = [await add("A"), await add("B"), await add("C")];
  const long = "x".repeat(255);
  expect((await api("POST /api/products/categorize", { body: { products, category: long } })).status).toBe(200);
  const listed = await api("GET /api/products", { query: { category: long } });
  expect(listed.body.products).toHaveLength(3);
  const body = { products, category: " Tea " };
  expect((await api("POST /api/products/categorize", { body })).body).toEqual({ changed: 3 });
  expect((await api("POST /api/products/categorize", { body })).body).toEqual({ changed: 0 });
  expect((await api("GET /api/products/categories", {})).body).toEqual({
    categories: [{ category: "Tea", products: 3 }],
    next_cursor: null,
  });
  const publisher = await member("publisher");
  const creative = await insertCreative(db(), advertiser.accountId);
  const campaign = await api("POST /api/campaigns", {
    body: {
      ...launchable([await readyAudience(publisher.accountId)]),
      creative_ids: [creative],
      selected_products: products.slice(0, 1),
    },
  });
  await api("POST /api/campaigns/{id}/launch", { params: { id: campaign.body.campaign.id } });
  const rejected = await api("DELETE /api/products/{id}", { params: { id: products[0] ?? "" } });
  expect([rejected.status, rejected.error?.code]).toEqual([409, "invalid_transition"]);
  const stranger = (await member("advertiser")).api;
  expect((await stranger("POST /api/products/delete", { body: { products } })).body).toEqual({ deleted: 0, kept: 0 });
  expect((await api("POST /api/products/delete", { body: { products } })).body).toEqual({ deleted: 2, kept: 1 });
  const left = (await api("GET /api/products", { query: { sort: "newest" } })).body.products;
  expect(left.map((row) => row.sku)).toEqual(["A"]);
});

test("a deletion that a campaign precedes at the last moment changes nothing, as its endpoint declares", async () => {
  const { api } = await member("advertiser");
  const { product } = (await api("POST /api/products", { body: kettle })).body;
  vi.spyOn(productUse, "areAnyInUse").mockResolvedValueOnce(true);
  const rejected = await api("POST /api/products/delete", { body: { products: [product.id] } });
  expect([rejected.status, rejected.error?.code]).toEqual([409, "invalid_transition"]);
  expect((await api("GET /api/products", {})).body.products).toHaveLength(1);
});

test("the same key creates one product", async () => {
  const { api } = await member("advertiser");
  const request = { body: kettle, headers: { "Idempotency-Key": crypto.randomUUID() } };
  const [one, other] = [await api("POST /api/products", request), await api("POST /api/products", request)];
  expect([other.status, other.body]).toEqual([201, one.body]);
  expect((await api("GET /api/products", {})).body.products).toHaveLength(1);
});
