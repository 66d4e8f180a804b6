import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoProductImageUrl, readDemoProductImage } from "#app/domain/catalog/demo-product-image.server.ts";
import { fetchProductImage } from "#app/domain/catalog/fetch-product-image.server.ts";
import { newId, type ProductId } from "#app/domain/ids.ts";
import { env } from "#app/env.server.ts";
import { loader } from "#app/screens/shared/products/image/route.ts";
import { contentSecurityPolicy } from "#app/web/csp.server.ts";
import { products } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { captureResponse } from "#tests/support/route-client.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

useEnvironment({ ALLOW_PRIVATE_OUTBOUND: "1" });
const db = useDatabase();
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const bodies: Record<string, Buffer> = {
  "/a.png": png,
  "/picture.svg": Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
  "/page.png": Buffer.from("<!doctype html><script>alert(1)</script>"),
  "/large.png": Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]),
};
const requests: { path: string; headers: string[] }[] = [];
const host = createServer((request, response) => {
  const path = request.url ?? "";
  requests.push({ path, headers: Object.keys(request.headers) });
  const left = /^\/redirect-(\d+)$/.exec(path)?.[1];
  if (left)
    return response.writeHead(302, { Location: left === "0" ? "/a.png" : `/redirect-${Number(left) - 1}` }).end();
  const slow = /^\/slow-(\d)$/.exec(path)?.[1];
  if (slow) {
    const location = slow === "1" ? "/a.png" : `/slow-${Number(slow) - 1}`;
    return void setTimeout(() => response.writeHead(302, { Location: location }).end(), 300);
  }
  if (path === "/metadata") return response.writeHead(302, { Location: "ftp://169.254.169.254/" }).end();
  const body = bodies[path];
  response.writeHead(body ? 200 : 404, { "Content-Type": "text/html" }).end(body ?? png);
});

let world: World;
let origin: string;
beforeAll(async () => {
  world = await createWorld(db());
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  const address = host.address();
  if (!address || typeof address === "string") throw new Error("no port");
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
});

async function imageOf(imageUrl: string | null, as: "northwind" | "brightside" = "northwind") {
  const id = newId<ProductId>();
  const row = {
    id,
    accountId: world.accountId("northwind"),
    name: "Kettle",
    sku: id,
    category: "Tea",
    priceCents: 4_990,
  };
  await db()
    .insert(products)
    .values({ ...row, imageUrl });
  const url = `http://localhost:3000/advertiser/products/${id}/image`;
  const request = new Request(url, { headers: { Cookie: await world.cookieOf(as) } });
  const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };
  const { status, headers } = await captureResponse(() => loader({ request, context, params: { id } }));
  return [status, headers.get("Content-Type")];
}

test("a product's image is fetched by the server, and sent as its type", async () => {
  expect(await imageOf(`${origin}/a.png`)).toEqual([200, "image/png"]);
  expect(requests).toEqual([
    { path: "/a.png", headers: expect.not.arrayContaining(["cookie", "referer", "user-agent"]) },
  ]);
});

test.each([
  ["an SVG", "/picture.svg"],
  ["a page that is called an image", "/page.png"],
  ["more than 5 MB", "/large.png"],
  ["what is not there", "/none.png"],
  ["more than two redirects", "/redirect-2"],
  ["a redirect to another protocol", "/metadata"],
])("nothing is shown of %s", async (_what, path) => {
  expect((await imageOf(origin + path))[0]).toBe(204);
});

test("two redirects are followed", async () => {
  expect(await imageOf(`${origin}/redirect-1`)).toEqual([200, "image/png"]);
});

test("redirects and the image have one time limit", async () => {
  const id = newId<ProductId>();
  const row = {
    id,
    accountId: world.accountId("northwind"),
    name: "Kettle",
    sku: id,
    category: "Tea",
    priceCents: 4_990,
  };
  await db()
    .insert(products)
    .values({ ...row, imageUrl: `${origin}/slow-2` });
  const before = requests.length;
  expect(await fetchProductImage(world.northwind, id, 500)).toBeUndefined();
  expect(requests.length - before).toBe(2);
  expect(await fetchProductImage(world.northwind, id)).toMatchObject({ type: "image/png" });
});

test("a product without an image has none, and another account's product does not exist", async () => {
  expect((await imageOf(null))[0]).toBe(204);
  const before = requests.length;
  expect((await imageOf(`${origin}/a.png`, "brightside"))[0]).toBe(404);
  expect(requests.length).toBe(before);
});

test("pages load images from this server only", () => {
  const policy = contentSecurityPolicy({ nonce: "nonce", env: env() });
  expect(policy).toContain("img-src 'self' blob: data:;");
  expect(policy).toContain("media-src 'self' blob:;");
});

test("a demo product's image is a file of the project, and no name leads out of its folder", async () => {
  requests.length = 0;
  for (const sku of ["NW-PK-040", "BS-GR-001", "HG-1004", "FF-41033"]) {
    expect(await imageOf(demoProductImageUrl(sku)), sku).toEqual([200, "image/png"]);
  }
  for (const name of ["none", "..%2Fbanners%2Fcamp", "../banners/camp", "%2e%2e/banners/camp"]) {
    expect((await imageOf(`https://demo.example/products/${name}.png`))[0], name).toBe(204);
  }
  expect(requests).toEqual([]);
});

test("each demo product has its image", async () => {
  const rows = await db().select({ sku: products.sku, imageUrl: products.imageUrl }).from(products);
  const seeded = rows.filter(({ sku, imageUrl }) => imageUrl === demoProductImageUrl(sku));
  expect(seeded).toHaveLength(40);
  for (const { sku, imageUrl } of seeded) expect(await readDemoProductImage(String(imageUrl)), sku).toBeDefined();
});
