import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as backgroundTasks from "#app/domain/background-tasks.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { defaultImportSettings } from "#app/domain/catalog/imports/catalog-import.ts";
import { getImport } from "#app/domain/catalog/imports/get-import.server.ts";
import { remapImport } from "#app/domain/catalog/imports/remap-import.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { connectStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { fetchFeed } from "#app/domain/catalog/stores/connectors/fetch-feed.server.ts";
import { disconnectStore } from "#app/domain/catalog/stores/disconnect-store.server.ts";
import { getStore, listStores } from "#app/domain/catalog/stores/list-stores.server.ts";
import { storeSchema } from "#app/domain/catalog/stores/store-payloads.ts";
import { syncDueStores } from "#app/domain/catalog/stores/sync-due-stores.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import { updateStore } from "#app/domain/catalog/stores/update-store.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { StoreId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { auditEntries, productImports, productStores, products } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { sendFile } from "./support/an-import.ts";

const db = useDatabase();
const local = readEnv({ SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" });
const publicOnly = readEnv({ SESSION_SECRET: "s".repeat(32) });
let world: World;
let by: Ctx<TenantActor>;
beforeAll(async () => {
  world = await createWorld(db());
  by = world.fern;
});
beforeEach(async () => {
  vi.restoreAllMocks();
  vi.spyOn(environment, "env").mockReturnValue(local);
  await db().delete(productImports);
  await db().delete(productStores);
  await db().delete(products);
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

const feed = (price: string) =>
  `<?xml version="1.0"?><rss xmlns:g="g"><channel><item><g:id>F-1</g:id><title>Mug</title><link>x</link>
  <g:price>${price}</g:price><g:product_type>Cups</g:product_type></item></channel></rss>`;
const connect = (store_url: string, more: object = {}) =>
  connectStore(by, storeSchema.parse({ kind: "feed", store_url, ...more }));
const prices = async () => (await listProducts(by, {})).rows.map(({ sku, priceCents }) => [sku, priceCents]);

async function sync(id: StoreId) {
  const made = await syncStore(by, { id });
  await waitForBackgroundTasks();
  return getImport(by, made.id);
}

describe("a feed", () => {
  test("is imported when it is due, and what it changes to is imported or named as the reason", async () => {
    let body: string | Buffer = gzipSync(feed("9.00 USD"));
    const origin = await serve((_, response) => void response.end(body));
    const { id } = await connect(`${origin}/products.xml?token=secret`, { frequency: "hourly" });
    const shown = await getStore(by, id);
    expect([shown.kind, shown.name]).toEqual(["feed", `${new URL(origin).host} products.xml`]);
    expect(shown.storeUrl).toMatch(/\/products\.xml\?…[0-9a-f]{6}$/);
    expect(JSON.stringify(await db().select().from(auditEntries))).not.toContain("secret");
    expect(await sync(id)).toMatchObject({ status: "succeeded", dialect: "merchant-feed", created: 1 });
    expect(await prices()).toEqual([["F-1", 900]]);

    body = "id\ttitle\tprice\tlink\tproduct_type\nF-1\tMug\t8.50 USD\tx\tCups\n";
    const later = new Date(Date.now() + 61 * 60_000);
    expect(await syncDueStores({ ...world.job, clock: () => later })).toBe(1);
    await waitForBackgroundTasks();
    expect(await prices()).toEqual([["F-1", 850]]);

    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${feed("&b;")}`;
    for (const [changed, message] of [
      ["<!doctype html><title>Maintenance</title>", /is not a product feed/],
      [`<?xml version="1.0"?><!-- x -->${feed("1").slice(21, -30)}`, /not valid XML/],
      [bomb, /is not a product feed|document type/],
      ["a,b\n1,2\n", /No column found for Product name/],
    ] as const) {
      body = changed;
      expect(await sync(id)).toMatchObject({ status: "failed", error: expect.stringMatching(message) });
      expect(await prices()).toEqual([["F-1", 850]]);
    }
    body = feed("7 USD");
    expect(await sync(id)).toMatchObject({ status: "succeeded", updated: 1 });
    expect(await getStore(by, id)).toMatchObject({ problem: null });
  });

  test("that is disconnected while it arrives changes nothing", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let downloads = 0;
    const origin = await serve(async (_, response) => {
      downloads += 1;
      if (downloads > 1) await held;
      response.end(feed("9 USD"));
    });
    const { id } = await connect(`${origin}/products.xml`);
    const begun = await syncStore(by, { id });
    await vi.waitFor(() => expect(downloads).toBe(2));
    await disconnectStore(by, { id });
    release();
    await waitForBackgroundTasks();
    expect(await getImport(by, begun.id)).toMatchObject({
      status: "failed",
      error: "The store was disconnected during the sync. Your catalog was not changed.",
    });
    expect(await prices()).toEqual([]);
  });

  test("that arrives while the server shuts down is downloaded again by another, as no failed attempt", async () => {
    let downloads = 0;
    const origin = await serve((_, response) => {
      downloads += 1;
      // The first is that of the check, the second never ends.
      if (downloads === 2) response.write(feed("9 USD").slice(0, 40));
      else response.end(feed("9 USD"));
    });
    const { id } = await connect(`${origin}/products.xml`);
    const shutdown = new AbortController();
    const signal = vi.spyOn(backgroundTasks, "shutdownSignal").mockReturnValue(shutdown.signal);
    const begun = await syncStore(by, { id });
    await vi.waitFor(() => expect(downloads).toBe(2));
    shutdown.abort();
    await waitForBackgroundTasks();
    expect(await db().select().from(productImports)).toMatchObject([{ status: "running", heartbeatAt: new Date(0) }]);
    expect(await getStore(by, id)).toMatchObject({ problem: null });
    signal.mockRestore();
    expect(await syncDueStores(world.job)).toBe(1);
    await waitForBackgroundTasks();
    expect(await getImport(by, begun.id)).toMatchObject({ status: "succeeded", created: 1 });
    expect(await db().select().from(productImports)).toMatchObject([{ attempts: 0 }]);
  });

  test("that is too large when it is unpacked says so", async () => {
    let body = gzipSync("id\ttitle\tprice\tlink\tproduct_type\n");
    const origin = await serve((_, response) => void response.end(body));
    const { id } = await connect(`${origin}/products.tsv.gz`);
    body = gzipSync(Buffer.alloc(51 * 1024 * 1024, "x\n"));
    expect(await sync(id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/has more than 250,000 products or 50 MB/),
    });
    expect(await getStore(by, id)).toMatchObject({ problem: "too_large" });
  });

  test("whose columns are not found says what to do, and that helps", async () => {
    const body = "Ware,Nummernkreis,Ladenpreis\nPot,1,12.50\n";
    const origin = await serve((_, response) => void response.end(body));
    const { id } = await connect(`${origin}/products.csv`);
    const found = (field: string) => `No column found for ${field}. Columns found: Ware, Nummernkreis, Ladenpreis.`;
    expect((await sync(id)).error).toBe(
      `${found("Product name")} Upload the feed as a file and choose the column. The choice applies to the feed as well.`,
    );
    const columns = { name: "Ware", sku: "Nummernkreis", price: "Ladenpreis" };
    const { id: uploaded } = await sendFile(by, body);
    await remapImport(by, { id: uploaded, columns, settings: defaultImportSettings });
    expect((await sync(id)).error).toBe(
      `${found("Category")} Enter a category for products without one in the settings of the feed.`,
    );
    await updateStore(by, { id, changes: { default_category: "Tea" } });
    expect(await sync(id)).toMatchObject({ status: "succeeded", created: 1, defaultCategories: 1 });
  });

  test("of one path with another query is another feed", async () => {
    const origin = await serve((_, response) => void response.end(feed("9 USD")));
    for (const query of ["a=1", "a=2", "a=1"]) await connect(`${origin}/feed?${query}`);
    expect(await listStores(by)).toHaveLength(2);
  });

  test.each([
    ["that is a web page", "<html>Log in</html>", "The feed is not a product feed: it must be"],
    ["that is another XML file", "<?xml version='1.0'?><sitemap/>", "The feed is not a product feed: it must be"],
    ["that is empty", "", "The feed is not a product feed: it must be"],
  ])("%s is not connected", async (_, body, message) => {
    const origin = await serve((_request, response) => void response.end(body));
    const refused = await domainErrorFrom(connect(`${origin}/feed`));
    expect(refused.fields).toEqual({ store_url: [expect.stringContaining(message)] });
  });
});

describe("a download", () => {
  const read = async (url: string, timeoutMs?: number) => {
    let size = 0;
    for await (const piece of fetchFeed(url, { timeoutMs })) size += piece.length;
    return size;
  };
  const piece = Buffer.alloc(1024 * 1024, "x");

  test("of ten gigabytes ends at 50 MB", async () => {
    let sent = 0;
    const origin = await serve((_, response) => {
      const send = () => {
        while (sent < 10_000 && !response.destroyed) {
          sent += 1;
          if (!response.write(piece)) return void response.once("drain", send);
        }
      };
      send();
    });
    await expect(read(origin)).rejects.toMatchObject({ problem: "too_large" });
    expect(sent).toBeLessThan(100);
  });

  test("that never ends ends with its time", async () => {
    const origin = await serve((_, response) => void setInterval(() => response.write("x"), 20).unref());
    await expect(read(origin, 300)).rejects.toMatchObject({ problem: "timed_out" });
    const silent = await serve(() => undefined);
    await expect(read(silent, 200)).rejects.toMatchObject({ problem: "timed_out" });
  });

  test("that is cut off is not complete", async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("id,title", () => response.destroy());
    });
    await expect(read(origin)).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("follows redirects, but none to a private address, none without end", async () => {
    const target = await serve((_, response) => void response.end("id"));
    const to = (location: string) =>
      serve((_, response) => void response.writeHead(302, { Location: location }).end("moved"));
    expect(await read(await to(target))).toBe(2);
    const loop = await to("/again");
    await expect(read(loop)).rejects.toMatchObject({ problem: "unexpected_response" });
    for (const location of [target, "http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "http://[::1]/"]) {
      const first = await to(location);
      // The first address is allowed, the next one is checked as in production.
      vi.mocked(environment.env).mockReturnValueOnce(local).mockReturnValue(publicOnly);
      await expect(read(first)).rejects.toMatchObject({ problem: "forbidden_address" });
      vi.mocked(environment.env).mockReturnValue(local);
    }
  });

  test.each([
    [401, "invalid_credentials"],
    [404, "store_not_found"],
    [429, "rate_limited"],
    [503, "unreachable"],
    [304, "unexpected_response"],
  ])("with status %s has a reason", async (status, problem) => {
    const origin = await serve((_, response) => void response.writeHead(status).end());
    await expect(read(origin)).rejects.toMatchObject({ problem });
  });
});
