import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepObjects } from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { objectKey } from "#app/domain/audiences/members/stores/object-key.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import { type AudienceId, type AudienceObjectId, type CreativeId, newId } from "#app/domain/ids.ts";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { replaceFileStorage } from "#app/storage/storage.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld } from "#tests/support/world.ts";

const db = useDatabase();
const root = mkdtempSync(join(tmpdir(), "endcap-files-"));
const storage = openFolderStorage(root);
beforeAll(() => replaceFileStorage(storage));
afterAll(() => {
  replaceFileStorage(undefined);
  rmSync(root, { recursive: true });
});

test("jobs delete no file of the storage until the database has accounts, as one that is about to be restored has none", async () => {
  const { file } = creativeStorageKeys(newId<CreativeId>());
  const object = objectKey(newId<AudienceId>(), newId<AudienceObjectId>());
  for (const key of [file, object])
    await storage.put(key, Readable.from([Buffer.from("old")]), { bytes: 3, type: "text/plain" });
  const clock = () => new Date(Date.now() + 2 * 86_400_000);
  const actor = { kind: "job", name: "sweep" } as const;
  const job = { db: db(), clock, actor, entrypoint: "job", report: () => undefined } as const;
  const isStored = async (key: string) => {
    const stored = await storage.get(key);
    stored?.destroy();
    return stored !== undefined;
  };

  expect([await sweepCreatives(job), await sweepObjects(job)]).toEqual([0, 0]);
  expect([await isStored(file), await isStored(object)]).toEqual([true, true]);

  await createWorld(db());
  expect([await sweepCreatives(job), await sweepObjects(job)]).toEqual([1, 1]);
  expect([await isStored(file), await isStored(object)]).toEqual([false, false]);
});
