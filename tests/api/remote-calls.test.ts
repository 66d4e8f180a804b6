import { createServer } from "node:http";
import { eq } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { requireId } from "#app/api/require-id.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { databaseUsage } from "#db/client.server.ts";
import { productImports, productStores } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { member, type TestMember } from "./api.ts";

const db = useDatabase();
useEnvironment({ ALLOW_PRIVATE_OUTBOUND: "1" });
let publisher: TestMember;
beforeAll(async () => {
  publisher = await member("publisher");
});

test("no connection to the database waits for another server, and a repetition asks none", async () => {
  const feed = await startFeed();
  const body = { kind: "feed", store_url: feed.url } as const;
  const headers = { "Idempotency-Key": "a-slow-store" };
  const first = await publisher.api("POST /api/stores", { body, headers });
  expect([first.status, feed.connectionsInUse]).toEqual([201, [0]]);
  const again = await publisher.api("POST /api/stores", { body, headers });
  expect([again.text, again.headers.get("Idempotent-Replayed")]).toEqual([first.text, "true"]);
  const other = { kind: "feed", store_url: `${feed.url}?other` } as const;
  const conflict = await publisher.api("POST /api/stores", { body: other, headers });
  expect([conflict.status, conflict.error?.code]).toEqual([422, "idempotency_conflict"]);
  expect(feed.connectionsInUse).toHaveLength(1);
});

test("concurrent requests with one key connect one store", async () => {
  const feed = await startFeed();
  const body = { kind: "feed", store_url: feed.url } as const;
  const before = await db().$count(productStores);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () =>
      publisher.api("POST /api/stores", { body, headers: { "Idempotency-Key": "many-stores" } }),
    ),
  );
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(responses.filter((response) => response.headers.has("Idempotent-Replayed"))).toHaveLength(4);
  expect(await db().$count(productStores)).toBe(before + 1);
});

test("a store is synced once per key, also after the sync has ended", async () => {
  const { api } = await member("advertiser");
  const feed = await startFeed();
  const { body } = await api("POST /api/stores", { body: { kind: "feed", store_url: feed.url, frequency: "manual" } });
  const params = { id: body.store.id };
  const sync = (key: string) => api("POST /api/stores/{id}/sync", { params, headers: { "Idempotency-Key": key } });
  const concurrent = await Promise.all([sync("sync-one"), sync("sync-one")]);
  await waitForBackgroundTasks();
  const [{ body: first }] = concurrent;
  expect(concurrent.map(({ status }) => status)).toEqual([202, 202]);
  const again = await sync("sync-one");
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
  expect(again.body.store.last_import_id).toBe(first.store.last_import_id);
  const next = await sync("sync-two");
  expect(next.body.store.last_import_id).not.toBe(first.store.last_import_id);
  await waitForBackgroundTasks();
  expect(await db().$count(productImports, eq(productImports.storeId, requireId<StoreId>("Store", params.id)))).toBe(2);
});

/** Starts a server with a product feed, which notes how many database connections are in use when it is asked. */
async function startFeed() {
  const connectionsInUse: (number | undefined)[] = [];
  const server = createServer((_request, response) => {
    connectionsInUse.push(databaseUsage()?.inUse);
    response.end("id,title,price\n1,Kettle,49.90 USD\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { url: `http://127.0.0.1:${address.port}/products.csv`, connectionsInUse };
}
