import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId, type ProductId } from "#app/domain/ids.ts";
import { env } from "#app/env.server.ts";
import { loader } from "#app/screens/shared/products/product-image.tsx";
import { contentSecurityPolicy } from "#app/web/csp.server.ts";
import { products } from "#db/schema/index.ts";
import { answerOf } from "#tests/support/browser.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

process.env.ALLOW_PRIVATE_OUTBOUND = "1";
const db = useDatabase();
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const bodies: Record<string, Buffer> = {
  "/a.png": png,
  "/picture.svg": Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
  "/page.png": Buffer.from("<!doctype html><script>alert(1)</script>"),
  "/large.png": Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]),
};
const asked: { path: string; headers: string[] }[] = [];
const host = createServer((request, response) => {
  const path = request.url ?? "";
  asked.push({ path, headers: Object.keys(request.headers) });
  const left = /^\/redirect-(\d+)$/.exec(path)?.[1];
  if (left)
    return response.writeHead(302, { Location: left === "0" ? "/a.png" : `/redirect-${Number(left) - 1}` }).end();
  if (path === "/metadata") return response.writeHead(302, { Location: "ftp://169.254.169.254/" }).end();
  const body = bodies[path];
  response.writeHead(body ? 200 : 404, { "Content-Type": "text/html" }).end(body ?? png);
});

let world: World;
let origin: string;
beforeAll(async () => {
  world = await makeWorld(db());
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
  const { status, headers } = await answerOf(() => loader({ request, context, params: { id } }));
  return [status, headers.get("Content-Type")];
}

test("a product's image is fetched by the server, and goes out as what it is", async () => {
  expect(await imageOf(`${origin}/a.png`)).toEqual([200, "image/png"]);
  expect(asked).toEqual([{ path: "/a.png", headers: expect.not.arrayContaining(["cookie", "referer", "user-agent"]) }]);
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

test("a product without an image has none, and another's product is not there", async () => {
  expect((await imageOf(null))[0]).toBe(204);
  const before = asked.length;
  expect((await imageOf(`${origin}/a.png`, "brightside"))[0]).toBe(404);
  expect(asked.length).toBe(before);
});

test("pages show images of our own alone", () => {
  const policy = contentSecurityPolicy({ nonce: "nonce", env: env() });
  expect(policy).toContain("img-src 'self' blob: data:;");
  expect(policy).toContain("media-src 'self' blob:;");
});
