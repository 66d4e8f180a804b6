import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { deleteDroppedObjects, sweepObjects } from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { objectKey } from "#app/domain/audiences/members/stores/object-key.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { deleteCreativeFiles } from "#app/domain/creatives/delete-creative.server.ts";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import { type AudienceId, type AudienceObjectId, type CreativeId, newId } from "#app/domain/ids.ts";
import { markStorage } from "#app/domain/storage-owner.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { replaceFileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { postgres } from "#db/driver.server.ts";
import * as schema from "#db/schema/index.ts";
import { audienceObjectDeletions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { createWorld, type World } from "#tests/support/world.ts";

/** The database of the tests, and a copy of it that was created later, such as one for staging. */
const original = useDatabase();
let copy: { db: Database; close: () => Promise<void> };
let copiedWorld: World;
let root = "";

beforeAll(async () => {
  await createWorld(original());
  const url = await createDatabaseCopy(inject("clusterUrl"));
  const sql = postgres(url, { max: 2, onnotice: () => undefined });
  copy = {
    db: drizzle(sql, { schema }),
    close: async () => {
      await sql.end();
      await dropDatabaseCopy(url);
    },
  };
  copiedWorld = await createWorld(copy.db);
});
afterAll(() => copy.close());

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "endcap-files-"));
  replaceFileStorage(openFolderStorage(root));
  return () => {
    replaceFileStorage(undefined);
    rmSync(root, { recursive: true });
  };
});

const hour = 3_600_000;
const clock = () => new Date(Date.now() + 48 * hour);
const jobOn = (db: Database) =>
  ({ db, clock, actor: { kind: "job", name: "sweep" }, entrypoint: "job", report: () => undefined }) as const;

async function store(key: string): Promise<void> {
  const storage = openFolderStorage(root);
  await storage.put(key, Readable.from([Buffer.from("old")]), { bytes: 3, type: "text/plain" });
}

async function isStored(key: string): Promise<boolean> {
  const stored = await openFolderStorage(root).get(key);
  stored?.destroy();
  return stored !== undefined;
}

async function listMarks(): Promise<string[]> {
  const marks: string[] = [];
  for await (const { key } of openFolderStorage(root).list("owners/")) marks.push(key);
  return marks;
}

/** A file of each kind that neither database names, and one that the database dropped. */
async function storeFiles(db: Database) {
  const [audienceId, objectId] = [newId<AudienceId>(), newId<AudienceObjectId>()];
  const files = {
    creative: creativeStorageKeys(newId<CreativeId>()).file,
    unnamed: objectKey(newId<AudienceId>(), newId<AudienceObjectId>()),
    dropped: objectKey(audienceId, objectId),
  };
  for (const key of Object.values(files)) await store(key);
  await db.insert(audienceObjectDeletions).values({ audienceId, objectId });
  return { ...files, all: async () => Promise.all(Object.values(files).map(isStored)) };
}

async function deleteAll(db: Database) {
  const results: PromiseSettledResult<number>[] = [];
  for (const job of [deleteDroppedObjects, sweepObjects, sweepCreatives])
    results.push(...(await Promise.allSettled([job(jobOn(db))])));
  return results;
}

test("a copy of a database deletes no file from the storage of the original, until that has not used it for six hours", async () => {
  const files = await storeFiles(copy.db);
  await markStorage(jobOn(original()));
  const [mark = expect.fail("no mark")] = await listMarks();
  await markStorage(jobOn(copy.db));
  for (const one of await deleteAll(copy.db)) {
    expect(one).toMatchObject({ status: "rejected", reason: expect.any(StorageError) });
    if (one.status === "rejected")
      expect(one.reason.cause.message).toContain(`Another database uses the storage of files (${mark},`);
  }
  const creative = newId<CreativeId>();
  const own = creativeStorageKeys(creative).file;
  await store(own);
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  await deleteCreativeFiles({ ...copiedWorld.northwind, report }, { id: creative });
  expect(reported).toEqual([expect.any(StorageError)]);
  expect([await isStored(own), ...(await files.all())]).toEqual([true, true, true, true]);

  const age = (hours: number) => {
    const then = new Date(Date.now() - hours * hour);
    utimesSync(join(root, mark), then, then);
  };
  age(5.9);
  expect((await deleteAll(copy.db)).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  age(6.1);
  // Two creatives: one was left by its deletion.
  expect(await deleteAll(copy.db)).toMatchObject([{ value: 1 }, { value: 1 }, { value: 2 }]);
  expect(await files.all()).toEqual([false, false, false]);
});

test("the original deletes as before, whatever uses its storage too", async () => {
  const files = await storeFiles(original());
  await markStorage(jobOn(copy.db));
  for (const mark of ["owners/9999999999999999999-1", "owners/notes"]) await store(mark);
  expect(await deleteAll(original())).toMatchObject([{ value: 1 }, { value: 1 }, { value: 1 }]);
  expect(await files.all()).toEqual([false, false, false]);
});

test("an older cluster's database has the storage, and one without accounts marks none", async () => {
  await store("owners/1-99999");
  await markStorage(jobOn(original()));
  expect((await deleteAll(original())).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  const url = await createDatabaseCopy(inject("clusterUrl"));
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    expect(await markStorage(jobOn(drizzle(sql, { schema })))).toBe(0);
  } finally {
    await sql.end();
    await dropDatabaseCopy(url);
  }
  expect(await listMarks()).toHaveLength(2);
});
