import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { productLimits } from "#app/domain/catalog/product.ts";
import * as create from "#app/screens/shared/products/create/route.tsx";
import * as remove from "#app/screens/shared/products/delete/route.tsx";
import * as dialog from "#app/screens/shared/products/detail/route.tsx";
import * as edit from "#app/screens/shared/products/edit/route.tsx";
import * as exported from "#app/screens/shared/products/list/csv.ts";
import * as list from "#app/screens/shared/products/list/route.tsx";
import * as selected from "#app/screens/shared/products/selected/route.tsx";
import { database } from "#db/client.server.ts";
import { products, rateLimits } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
useEnvironment({ RATE_LIMITS: "on" });
const sides = [
  ["advertiser", "northwind"],
  ["publisher", "harbor"],
] as const;

const typed = (changes: Record<string, string> = {}) => ({
  name: "Storm Kettle",
  sku: "K-1",
  category: "Camp kitchen",
  price: "49.90",
  inventory: "9",
  image: "",
  description: "",
  brand: "",
  group: "",
  ...changes,
});

describe.each(sides)("the catalog of an %s", (portal, who) => {
  const base = `/${portal}/products`;
  const own = async (q: string) => (await listProducts(world()[who], { q })).rows;

  it("creates a product once, however often the form is sent", async () => {
    const form = typed({ idempotency_key: crypto.randomUUID() });
    const first = await visit(world(), who, create.action, `${base}/create`, { form });
    expect(first.location).toBe(`${base}?sort=newest`);
    expect((await visit(world(), who, create.action, `${base}/create`, { form })).location).toBe(first.location);
    expect(await own("K-1")).toMatchObject([
      { name: "Storm Kettle", priceCents: 4_990, status: "low_stock", brand: null },
    ]);
  });

  it("shows the input again with every error", async () => {
    const form = typed({ name: " ", price: "abc", inventory: "-1", image: "javascript:alert(1)" });
    const response = await visit(world(), who, create.action, `${base}/create`, { form });
    expect([response.status, response.body]).toEqual([
      422,
      expect.objectContaining({
        initialValue: expect.objectContaining({ price: "abc", image: "javascript:alert(1)" }),
        error: {
          name: ["Enter a product name"],
          price: ["Enter a price in US dollars, such as 12 or 12.50"],
          inventory: ["Enter a whole number, 0 or more"],
          image: ["Enter a URL that begins with https://"],
        },
      }),
    ]);
    const conflict = await visit(world(), who, create.action, `${base}/create`, { form: typed() });
    expect([conflict.status, conflict.body]).toMatchObject([
      422,
      { error: { sku: ["This SKU is already in use. Enter a different one."] } },
    ]);
  });

  it("changes a product; an empty field is cleared", async () => {
    const [product] = await own("K-1");
    const params = { id: product?.id ?? "" };
    const form = typed({ inventory: "", brand: "Northern", image: "https://cdn.example.com/a.png" });
    const saved = await visit(world(), who, edit.action, `${base}/${params.id}/edit`, { form, params });
    expect(saved.location).toBe(`${base}/${params.id}`);
    expect(await own("K-1")).toMatchObject([{ inventory: null, status: "active", brand: "Northern" }]);
    const shown = await visit(world(), who, dialog.loader, `${base}/${params.id}`, { params });
    expect(shown.body).toMatchObject({ product: { name: "Storm Kettle", imageUrl: "https://cdn.example.com/a.png" } });
    const stored = await visit(world(), who, edit.loader, `${base}/${params.id}/edit`, { params });
    expect(stored.body).toMatchObject({ stored: { price: "49.90", inventory: null, brand: "Northern" } });
  });

  it("deletes a product after a confirmation", async () => {
    const [product] = await own("K-1");
    const params = { id: product?.id ?? "" };
    const path = `${base}/${params.id}/delete`;
    const response = await visit(world(), who, remove.loader, path, { params });
    expect(response.body).toMatchObject({ name: "Storm Kettle", campaigns: [] });
    expect((await visit(world(), who, remove.action, path, { form: {}, params })).location).toBe(base);
    expect(await own("K-1")).toEqual([]);
    expect((await visit(world(), who, remove.loader, path, { params })).status).toBe(404);
  });
});

describe("the list", () => {
  const load = async (query: string) => {
    const response = await visit(world(), "northwind", list.loader, `/advertiser/products${query}`);
    expect(response.status).toBe(200);
    return response.body;
  };

  it("shows what the URL asks for, and never fails", async () => {
    expect(await load("?q=ridgeline&sort=price_low")).toMatchObject({
      matching: 2,
      all: 14,
      page: { rows: [{ sku: "NW-PK-022" }, { sku: "NW-PK-040" }] },
    });
    expect(await load("?status=low_stock")).toMatchObject({ matching: 2 });
    expect(await load(`?category=${encodeURIComponent("Camp kitchen")}`)).toMatchObject({ matching: 2 });
    for (const query of ["?sort=x&status=y&cursor=z", "?q=%E2%80%8B", "?q=%00&category=%00", "?cursor="]) {
      expect(await load(query)).toMatchObject({ matching: 14 });
    }
  });

  it("finds nothing for a text that is longer than every name, instead of showing all", async () => {
    expect(await load(`?q=${"x".repeat(3_000)}`)).toMatchObject({ matching: 0, all: 14, page: { rows: [] } });
    expect(await load("?q=ridge%E2%80%8Bline")).toMatchObject({ matching: 2 });
  });

  it("ignores a cursor of another order", async () => {
    const { nextCursor } = await listProducts(world().northwind, { limit: 1 });
    expect(await load(`?sort=stock_low&cursor=${nextCursor}`)).toMatchObject({
      page: { rows: { 0: { sku: "NW-BT-310" } } },
    });
  });
});

describe("several products", () => {
  const path = (query: string) => `/publisher/products/selected?${query}`;
  const flashOf = (headers: Headers) =>
    Buffer.from(
      decodeURIComponent(headers.get("Set-Cookie") ?? "").replace(/^portal_flash=([^.]*).*/, "$1"),
      "base64url",
    ).toString();

  it("need a selection", async () => {
    for (const query of ["intent=delete&of=ticked", "product=1&product=%00", ""]) {
      const response = await visit(world(), "harbor", selected.loader, path(query));
      expect([response.status, response.location]).toEqual([302, "/publisher/products"]);
      expect(flashOf(response.headers)).toContain("Select at least one product");
    }
  });

  it("are counted, assigned a category and deleted, never those of others", async () => {
    const ids = ["HG-1004", "HG-1011", "NW-PK-040"].map((sku) => `product=${world().product(sku)}`).join("&");
    const response = await visit(world(), "harbor", selected.loader, path(`intent=category&${ids}`));
    expect(response.body).toMatchObject({ intent: "category", chosen: { count: 2, used: 0 } });
    const rejected = await visit(world(), "harbor", selected.action, path(ids), { form: { intent: "category" } });
    expect([rejected.status, rejected.body]).toMatchObject([422, { error: { category: ["Enter a category"] } }]);
    const form = { intent: "category", category: "Terrace" };
    const moved = await visit(world(), "harbor", selected.action, path(ids), { form });
    expect([moved.location, flashOf(moved.headers)]).toEqual([
      "/publisher/products",
      expect.stringContaining("2 products moved to “Terrace”"),
    ]);
    const again = await visit(world(), "harbor", selected.action, path(`${ids}&q=lamp&status=active`), { form });
    expect(again.location).toBe("/publisher/products?q=lamp&status=active");
    const all = path("of=all&category=Terrace");
    const deleted = await visit(world(), "harbor", selected.action, all, { form: { intent: "delete" } });
    expect(flashOf(deleted.headers)).toContain("2 products deleted");
    expect(await database().$count(products, eq(products.accountId, world().accountId("harbor")))).toBe(7);
    expect(await database().$count(products, eq(products.accountId, world().accountId("northwind")))).toBe(14);
  });

  it("of a category with any name that products can have are those alone", async () => {
    const category = "🧦".repeat(productLimits.category);
    const ids = `product=${world().product("HG-1203")}`;
    const form = { intent: "category", category };
    expect((await visit(world(), "harbor", selected.action, path(ids), { form })).status).toBe(302);
    const all = path(`of=all&category=${encodeURIComponent(category)}`);
    expect((await visit(world(), "harbor", selected.loader, all)).body).toMatchObject({ chosen: { count: 1 } });
  });

  it("that are used by campaigns stay, and are counted", async () => {
    await world().aLaunchedCampaign({
      changes: {
        creative_ids: [await insertCreative(database(), world().accountId("northwind"))],
        selected_products: [world().product("NW-PK-040")],
      },
    });
    const all = "/advertiser/products/selected?of=all&q=ridgeline";
    expect((await visit(world(), "northwind", selected.loader, all)).body).toMatchObject({
      chosen: { count: 2, used: 1 },
    });
    const deleted = await visit(world(), "northwind", selected.action, all, { form: { intent: "delete" } });
    expect(flashOf(deleted.headers)).toContain("1 product deleted. 1 product was not deleted because campaigns use it");
    const params = { id: world().product("NW-PK-040") };
    const one = `/advertiser/products/${params.id}/delete`;
    const response = await visit(world(), "northwind", remove.loader, one, { params });
    expect(response.body).toMatchObject({ campaigns: [{ name: "Ridgeline Packs" }] });
    const rejected = await visit(world(), "northwind", remove.action, one, { params, form: {} });
    expect(rejected.status).toBe(409);
  });
});

describe("the export", () => {
  const get = () => visit(world(), "fern", exported.loader, "/publisher/products/export.csv");

  it("is a file that a spreadsheet can open without running anything, at most five an hour", async () => {
    const form = typed({ name: '=HYPERLINK("http://evil")', sku: "+1", description: "One\nand, two", price: "1234.5" });
    await visit(world(), "fern", create.action, "/publisher/products/create", { form });
    const response = await get();
    const lines = String(response.body).split("\r\n");
    expect(lines[0]).toBe("name,sku,category,price,description,inventory,image_url,brand,group,status");
    expect(lines).toContain(`"'=HYPERLINK(""http://evil"")",'+1,Camp kitchen,1234.50,"One\nand, two",9,,,,active`);
    expect(lines).toHaveLength(10);
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="product-catalog.csv"');
    for (let more = 0; more < 4; more += 1) expect((await get()).status).toBe(200);
    const rejected = await get();
    expect([rejected.status, rejected.location]).toEqual([302, "/publisher/products"]);
    await database().delete(rateLimits);
  });
});
