import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, inArray, sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { dropGeneration, newGeneration, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { toStoredPlace } from "#app/domain/audiences/members/deltas.ts";
import type { BlockStoreKind } from "#app/domain/audiences/members/generation.ts";
import { identifierKinds, packFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { MemberLookUp } from "#app/domain/audiences/members/member-look-up.server.ts";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { deletionLockName } from "#app/domain/audiences/members/stores/deletion-lock.server.ts";
import { deleteDroppedObjects, sweepObjects } from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { blocksPerObject } from "#app/domain/audiences/members/stores/object-files.server.ts";
import { objectKey } from "#app/domain/audiences/members/stores/object-key.ts";
import { withoutUnnamedObjects } from "#app/domain/audiences/members/stores/written-objects.server.ts";
import { moveAudiences } from "#app/domain/audiences/move-audiences.server.ts";
import { reencryptAudienceObjects } from "#app/domain/audiences/reencrypt-audience-objects.server.ts";
import { currentSnapshots } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { personBytes } from "#app/domain/audiences/snapshots/people-sample.ts";
import { changeInTransaction, updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { failUpload } from "#app/domain/audiences/uploads/fail-upload.server.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import type { UploadAttempt } from "#app/domain/audiences/uploads/upload-attempt.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { retryHint } from "#app/domain/heartbeat.ts";
import { type AudienceId, type AudienceObjectId, newId } from "#app/domain/ids.ts";
import { DecryptionError } from "#app/encryption.server.ts";
import * as environment from "#app/env.server.ts";
import { type FileStorage, StorageError } from "#app/storage/file-storage.ts";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { fileStorage, replaceAudienceStore, replaceFileStorage } from "#app/storage/storage.server.ts";
import { type Database, openSecondPool } from "#db/client.server.ts";
import { sessionSettings } from "#db/connection-traits.server.ts";
import { audienceBlocks, audienceObjectDeletions, audienceSnapshots, audiences } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type S3Server, startS3Server } from "#tests/support/fakes/fake-s3.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import {
  audienceRow,
  beginUpload,
  createEmptyAudience,
  createFilePart,
  loadStoredHashes,
  openAudience,
  people,
  upload,
} from "./an-audience.ts";
import { listObjectFiles, listObjectRows } from "./audience-objects.ts";
import { audienceOfPeople, numbered } from "./audience-of-hashes.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

beforeEach(() => replaceAudienceStore("objects"));
afterEach(() => {
  replaceAudienceStore(undefined);
  replaceFileStorage(undefined);
});

const type = "application/octet-stream";

async function audienceInObjects(count: number, by = world.harbor): Promise<AudienceId> {
  const id = await audienceOfPeople(by, count);
  expect(await audienceRow(by, id)).toMatchObject({ size: count, objectGeneration: expect.any(Number) });
  return id;
}

describe("an erasure", () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server({ keepsVersions: true });
    return () => s3.stop();
  });

  test("leaves no version of an object that had the person, nor one that no row names", async () => {
    replaceFileStorage(openS3Storage(s3.settings));
    const id = await audienceInObjects(1_500);
    const before = s3.versions.map(({ key }) => key);
    expect(before).toHaveLength(1);
    const left = objectKey(id, newId<AudienceObjectId>());
    await (await fileStorage()).put(left, Readable.from([Buffer.from("left")]), { bytes: 4, type });
    const { erased } = await eraseIdentifiers(world.harbor, { identifiers: ["person7@example.com"] });
    expect(erased).toBe(1);
    const now = s3.versions.map(({ key }) => key);
    expect(now).toEqual((await listObjectRows(db(), id)).map((key) => `files/${key}`));
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(before);
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(1_499);
  });

  test("is carried out beside files that other programs left among the objects", async () => {
    replaceFileStorage(openS3Storage(s3.settings));
    const id = await audienceInObjects(10);
    const marker = `files/audiences/${id}/`;
    s3.objects.set(marker, { body: Buffer.alloc(0), etag: "marker", type, modified: new Date(0) });
    expect(await eraseIdentifiers(world.harbor, { identifiers: ["person7@example.com"] })).toMatchObject({ erased: 1 });
    await sweepObjects(world.job);
    expect(s3.objects.has(marker)).toBe(true);
  });

  test("of many people writes each object about once", async () => {
    const by = world.harbor;
    const id = await createEmptyAudience(by);
    const storage = openS3Storage(s3.settings);
    let written = 0;
    const put: FileStorage["put"] = async (key, ...file) => {
      if (key.includes(id)) written += 1;
      await storage.put(key, ...file);
    };
    replaceFileStorage({ ...storage, put });
    const count = 8 * blocksPerObject;
    const emails = Array.from({ length: count }, (_, index) => `person${index}@example.com`);
    const hashes = emails.map((email) => Buffer.from(sha256(email), "latin1")).sort(Buffer.compare);
    const flags = new Uint8Array(2).fill(packFlags(identifierKinds.email, 15));
    // Four objects of blocks of two.
    const blocks = Array.from({ length: count / 2 }, (_, index) => ({
      hashes: Buffer.concat(hashes.slice(2 * index, 2 * index + 2)),
      flags,
      canonicalHashes: new Uint8Array(0),
    }));
    const place = await newGeneration(db(), id);
    await writeBlocks(db(), place, blocks);
    await db()
      .update(audiences)
      .set({ ...toStoredPlace({ ...place, deltas: null }), version: 1, size: count, status: "ready", cpmCents: 500 })
      .where(eq(audiences.id, id));
    expect(written).toBe(4);
    // Two batches.
    expect(await eraseIdentifiers(by, { identifiers: emails.slice(0, 1_000) })).toMatchObject({ erased: 1_000 });
    expect(written).toBeLessThanOrEqual(4 + 5);
    expect(await loadStoredHashes(by, id)).toHaveLength(count - 1_000);
  });

  test("keeps the objects of an upload that begins meanwhile", async () => {
    // Not of the publisher whose objects are in the bucket above.
    const by = world.fern;
    const id = await audienceInObjects(10, by);
    const late = await beginWhenListed(id, () => upload(by, { audienceId: id, files: [people(20, 100)] }));
    expect(await eraseIdentifiers(by, { identifiers: ["nobody@example.com"] })).toMatchObject({ erased: 0 });
    expect(await late.end()).toMatchObject({ status: "succeeded", size: 30 });
    expect(await loadStoredHashes(by, id)).toHaveLength(30);
  });
});

/**
 * Begins an upload to an audience when its objects are listed. Each of its objects then waits for its row until `end`.
 */
async function beginWhenListed<T>(id: AudienceId, begin: () => Promise<T>) {
  const real = await fileStorage();
  let uploading: Promise<T> | undefined;
  let [storedFirst, release] = [() => {}, () => {}];
  const isStored = new Promise<void>((done) => {
    storedFirst = done;
  });
  const isReleased = new Promise<void>((done) => {
    release = done;
  });
  const put: FileStorage["put"] = async (...file) => {
    await real.put(...file);
    storedFirst();
    await isReleased;
  };
  async function* list(prefix: string) {
    if (prefix.includes(id)) {
      uploading ??= begin();
      // It may have to wait for whoever lists.
      await Promise.race([isStored, sleep(1_000)]);
    }
    yield* real.list(prefix);
  }
  replaceFileStorage({ ...real, put, list });
  return {
    end: async () => {
      release();
      return await uploading;
    },
  };
}

test("an upload that is sent again while blocks are swept keeps its objects", async () => {
  const id = await audienceInObjects(10);
  const sent = { audienceId: id, mode: "add", key: "again-and-again" } as const;
  const first = await beginUpload(world.harbor, sent);
  await failUpload(world.harbor, { ...first, message: `The upload was interrupted. ${retryHint}` });
  const block = {
    hashes: numbered(1)[0] ?? Buffer.alloc(0),
    flags: Uint8Array.of(8),
    canonicalHashes: Buffer.alloc(0),
  };
  await writeBlocks(db(), await newGeneration(db(), id), [block]);
  const again = await beginWhenListed(id, async () => {
    const attempt = await beginUpload(world.harbor, sent);
    async function* files() {
      yield createFilePart(people(20, 100));
    }
    await receiveUpload(world.harbor, { ...attempt, audienceId: id, mode: "add", files: files() });
    await waitForBackgroundTasks();
    return getUpload(world.harbor, attempt.id);
  });
  await sweepUploads(world.job);
  expect(await again.end()).toMatchObject({ status: "succeeded", size: 30 });
  expect(await loadStoredHashes(world.harbor, id)).toHaveLength(30);
});

test("what a crash leaves between an object, its row and the audience's change is deleted", async () => {
  const id = await audienceInObjects(10);
  const named = await listObjectFiles(id);
  const hashes = Buffer.concat(numbered(3).sort(Buffer.compare));
  const block = { hashes, flags: new Uint8Array(3).fill(8), canonicalHashes: new Uint8Array(0) };
  await writeBlocks(db(), await newGeneration(db(), id), [block]);
  expect(await listObjectFiles(id)).toHaveLength(2);
  await sweepUploads(world.job);
  await db().transaction(async (tx) => {
    // As a backup does while it copies what its snapshot names.
    await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${deletionLockName}, 0))`);
    expect(await deleteDroppedObjects(world.job)).toBe(0);
  });
  await deleteDroppedObjects(world.job);
  expect(await listObjectFiles(id)).toEqual(named);

  const failing = {
    ...world.harbor,
    db: db(),
    clock: (): Date => {
      throw new Error("no time");
    },
  };
  const add = [{ email: "late@example.com" }];
  await expect(updateMembers(failing, { audienceId: id, add, remove: [] })).rejects.toThrow("no time");
  expect(await listObjectFiles(id)).toEqual(named);

  const left = objectKey(id, newId<AudienceObjectId>());
  await (await fileStorage()).put(left, Readable.from([Buffer.from("left")]), { bytes: 4, type });
  const inDays = (days: number) => ({ ...world.job, clock: () => new Date(Date.now() + days * 86_400_000) });
  expect(await sweepObjects(inDays(0))).toBe(0);
  expect(await sweepObjects(inDays(2))).toBe(1);
  expect(await listObjectFiles(id)).toEqual(named);
});

test.each([
  ["dropped", (id: AudienceId) => deleteDroppedObjects(world.job, { audienceIds: [id] })],
  ["left by a crash", () => sweepObjects({ ...world.job, clock: () => new Date(Date.now() + 2 * 86_400_000) })],
])("an object %s that the storage refuses to delete keeps no other from being deleted", async (what, deleteObjects) => {
  const id = await audienceInObjects(10);
  const named = await listObjectFiles(id);
  const real = await fileStorage();
  const [locked, other] = [newId<AudienceObjectId>(), newId<AudienceObjectId>()];
  for (const objectId of [locked, other])
    await real.put(objectKey(id, objectId), Readable.from([Buffer.from("left")]), { bytes: 4, type });
  if (what === "dropped")
    await db()
      .insert(audienceObjectDeletions)
      .values([locked, other].map((objectId) => ({ audienceId: id, objectId })));
  const deleteVersions: FileStorage["deleteVersions"] = async (keys) => {
    if (keys.includes(objectKey(id, locked)))
      throw new StorageError(Object.assign(new Error(), { name: "AccessDenied" }));
    await real.deleteVersions(keys);
  };
  replaceFileStorage({ ...real, deleteVersions });
  await expect(deleteObjects(id)).rejects.toThrow("refused to delete 1 objects");
  expect(await listObjectFiles(id)).toEqual([...named, objectKey(id, locked)].sort());
  replaceFileStorage(real);
  expect(await deleteObjects(id)).toBe(1);
  expect(await listObjectFiles(id)).toEqual(named);
});

test("audiences whose objects cannot be listed keep no other from being swept", async () => {
  const good = await audienceInObjects(10);
  const [row = expect.fail("no audience")] = await db().select().from(audiences).where(eq(audiences.id, good));
  const broken = Array.from({ length: 250 }, () => newId<AudienceId>());
  await db()
    .insert(audiences)
    .values(broken.map((id) => ({ ...row, id, size: 0 })));
  const left = { firstHash: Buffer.alloc(32), hashes: Buffer.alloc(32), flags: Buffer.of(8) };
  const of = (audienceId: AudienceId) => ({ ...left, audienceId, generation: 1_000_000, canonicalHashes: Buffer.of() });
  await db()
    .insert(audienceBlocks)
    .values([good, ...broken].map(of));
  const real = await fileStorage();
  const refused = () => new StorageError(Object.assign(new Error(), { name: "AccessDenied" }));
  async function* list(prefix: string) {
    if (!prefix.includes(good)) throw refused();
    yield* real.list(prefix);
  }
  replaceFileStorage({ ...real, list });
  const job = { ...world.job, report: () => undefined };
  const isSwept = async () => (await db().$count(audienceBlocks, eq(audienceBlocks.audienceId, good))) === 0;
  // Each run chooses 100 of them.
  for (let runs = 0; runs < 50 && !(await isSwept()); runs += 1) await sweepUploads(job);
  expect(await isSwept()).toBe(true);
  await db().delete(audienceBlocks).where(inArray(audienceBlocks.audienceId, broken));
  await db().delete(audiences).where(inArray(audiences.id, broken));
});

test("an object that arrives after another one failed is deleted too", async () => {
  const id = await createEmptyAudience(world.harbor);
  const real = await fileStorage();
  let [rollBack, arrive] = [() => {}, () => {}];
  const rolledBack = new Promise<void>((done) => {
    rollBack = done;
  });
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  let objects = 0;
  const put: FileStorage["put"] = async (...file) => {
    objects += 1;
    if (objects === 1) throw new Error("the storage is full");
    await rolledBack;
    // The clean-up could be over by now.
    await sleep(200);
    await real.put(...file);
    arrive();
  };
  replaceFileStorage({ ...real, put });
  const blocks = numbered(2 * blocksPerObject)
    .sort(Buffer.compare)
    .map((hashes) => ({ hashes, flags: Uint8Array.of(8), canonicalHashes: new Uint8Array(0) }));
  const writing = withoutUnnamedObjects(world.job, (track) =>
    db()
      .transaction(async (tx) => {
        track(tx);
        await writeBlocks(tx, await newGeneration(tx, id), blocks);
      })
      .finally(() => rollBack()),
  );
  await expect(writing).rejects.toMatchObject({ code: "unavailable" });
  await arrived;
  expect(objects).toBe(2);
  expect(await listObjectFiles(id)).toEqual([]);
  expect(await listObjectRows(db(), id)).toEqual([]);
});

test("an object whose transaction commits after the response to its commit was lost is kept", async () => {
  const id = await audienceInObjects(10);
  const hashes = Buffer.concat(numbered(3).sort(Buffer.compare));
  const block = { hashes, flags: new Uint8Array(3).fill(8), canonicalHashes: new Uint8Array(0) };
  let committing: Promise<void> | undefined;
  const writing = withoutUnnamedObjects(world.job, async (track) => {
    await new Promise<void>((done, fail) => {
      committing = db().transaction(async (tx) => {
        track(tx);
        await tx.update(audiences).set({ description: "Changed" }).where(eq(audiences.id, id));
        await writeBlocks(tx, await newGeneration(tx, id), [block]);
        done();
        // The commit takes longer than its caller waits.
        await sleep(300);
      });
      committing.catch(fail);
    });
    throw new Error("no response");
  });
  await expect(writing).rejects.toThrow("no response");
  await committing;
  expect(await listObjectRows(db(), id)).toHaveLength(2);
  expect(await listObjectFiles(id)).toEqual(await listObjectRows(db(), id));
});

test("an object that another change dropped as soon as it was committed is kept while a backup copies it", async () => {
  const id = await audienceInObjects(10);
  const named = await listObjectFiles(id);
  const hashes = Buffer.concat(numbered(3).sort(Buffer.compare));
  const block = { hashes, flags: new Uint8Array(3).fill(8), canonicalHashes: new Uint8Array(0) };
  const generation = await newGeneration(db(), id);
  await withoutUnnamedObjects(world.job, async (track) => {
    await db().transaction(async (tx) => {
      track(tx);
      await writeBlocks(tx, generation, [block]);
    });
    await dropGeneration(db(), generation);
  });
  expect(await listObjectFiles(id)).toHaveLength(2);
  await deleteDroppedObjects(world.job, { audienceIds: [id] });
  expect(await listObjectFiles(id)).toEqual(named);
});

describe("an upload that merges with the audience's lock, because others kept changing it", () => {
  /**
   * Uploads to an audience of ten that changes before each of the first three merges ends; `last` stores the fourth's
   * object.
   */
  async function mergeLocked(
    by: Ctx<PublisherActor>,
    last: (put: () => Promise<void>, upload: UploadAttempt) => Promise<void>,
  ) {
    const id = await audienceInObjects(10);
    const uploading = await beginUpload(by, { audienceId: id, mode: "add" });
    const real = await fileStorage();
    let merges = 0;
    const put: FileStorage["put"] = async (...file) => {
      merges += 1;
      if (merges === 4) return await last(() => real.put(...file), uploading);
      await db()
        .update(audiences)
        .set({ version: merges + 1 })
        .where(eq(audiences.id, id));
      await real.put(...file);
    };
    replaceFileStorage({ ...real, put });
    async function* files() {
      yield createFilePart(people(20, 100));
    }
    await receiveUpload(by, { ...uploading, audienceId: id, mode: "add", files: files() });
    await waitForBackgroundTasks();
    expect(merges).toBe(4);
    await deleteDroppedObjects(world.job);
    return { id, report: await getUpload(by, uploading.id) };
  }

  test("leaves no object when it fails", async () => {
    const { id, report } = await mergeLocked(world.harbor, async (put, uploading) => {
      await put();
      await failUpload(world.harbor, { ...uploading, message: "Interrupted" });
    });
    expect(report).toMatchObject({ status: "failed", error: "Interrupted" });
    expect(await listObjectFiles(id)).toEqual(await listObjectRows(db(), id));
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 10 });
  });

  test("waits for the storage", async () => {
    await withShortIdleTimeout(async (database) => {
      const { id, report } = await mergeLocked({ ...world.harbor, db: database }, async (put) => {
        await sleep(4 * idleMs);
        await put();
      });
      expect(report).toMatchObject({ status: "succeeded", size: 30 });
      expect(await loadStoredHashes(world.harbor, id)).toHaveLength(30);
    });
  });
});

describe("a storage that takes longer than a transaction may be without a statement", () => {
  const slowly = <A extends unknown[], T>(work: (...args: A) => Promise<T>) => {
    return async (...args: A) => {
      await sleep(2 * idleMs);
      return await work(...args);
    };
  };
  const listSlowly = ({ list }: FileStorage, meanwhile = async () => {}) =>
    async function* (prefix: string) {
      await sleep(2 * idleMs);
      await meanwhile();
      yield* list(prefix);
    };

  test("changes people and erases them", async () => {
    // Not of the publisher whose objects are in the bucket above.
    const id = await audienceInObjects(10, world.fern);
    const left = objectKey(id, newId<AudienceObjectId>());
    const real = await fileStorage();
    await real.put(left, Readable.from([Buffer.from("left")]), { bytes: 4, type });
    replaceFileStorage({ ...real, get: slowly(real.get), deleteVersions: slowly(real.deleteVersions) });
    await withShortIdleTimeout(async (database) => {
      const by = { ...world.fern, db: database };
      const add = [{ email: "new@example.com" }];
      expect(await updateMembers(by, { audienceId: id, add, remove: [] })).toMatchObject({ size: 11 });
      expect(await eraseIdentifiers(by, { identifiers: ["person7@example.com"] })).toMatchObject({ erased: 1 });
    });
    expect(await loadStoredHashes(world.fern, id)).toHaveLength(10);
    expect(await listObjectFiles(id)).toEqual(await listObjectRows(db(), id));
  });

  test("erases people in the transaction of a request with a key", async () => {
    const id = await audienceInObjects(10, world.fern);
    const real = await fileStorage();
    replaceFileStorage({ ...real, list: listSlowly(real) });
    await withShortIdleTimeout(async (database) => {
      const erased = database.transaction((tx) =>
        eraseIdentifiers({ ...world.fern, db: tx }, { identifiers: ["person7@example.com"] }),
      );
      expect(await erased).toMatchObject({ erased: 1 });
    });
    expect(await loadStoredHashes(world.fern, id)).toHaveLength(9);
  });

  test("has its snapshots, during which no audience is locked", async () => {
    const id = await audienceInObjects(10, world.fern);
    const real = await fileStorage();
    const get: FileStorage["get"] = async (...file) => {
      await requireUnlocked(id);
      return await real.get(...file);
    };
    replaceFileStorage({ ...real, get: slowly(get) });
    await withShortIdleTimeout(async (database) => {
      expect(await currentSnapshots({ ...world.fern, db: database }, [id])).toMatchObject([{ version: 1, size: 10 }]);
    });
  });

  test("loses objects that are dropped or that no row names, and backups begin meanwhile", async () => {
    const id = await audienceInObjects(10, world.fern);
    const named = await listObjectFiles(id);
    const real = await fileStorage();
    const leave = async (objectId: AudienceObjectId) =>
      real.put(objectKey(id, objectId), Readable.from([Buffer.from("left")]), { bytes: 4, type });
    const dropped = newId<AudienceObjectId>();
    await leave(dropped);
    await db().insert(audienceObjectDeletions).values({ audienceId: id, objectId: dropped });
    await leave(newId<AudienceObjectId>());
    const deleteVersions: FileStorage["deleteVersions"] = async (keys) => {
      const backup = sql`select pg_try_advisory_xact_lock_shared(hashtextextended(${deletionLockName}, 0)) as begins`;
      expect([...(await db().execute(backup))]).toEqual([{ begins: true }]);
      await real.deleteVersions(keys);
    };
    replaceFileStorage({ ...real, deleteVersions: slowly(deleteVersions) });
    await withShortIdleTimeout(async (database) => {
      const job = { ...world.job, db: database, clock: () => new Date(Date.now() + 2 * 86_400_000) };
      expect(await deleteDroppedObjects(job, { audienceIds: [id] })).toBe(1);
      expect(await db().$count(audienceObjectDeletions, eq(audienceObjectDeletions.audienceId, id))).toBe(0);
      expect(await sweepObjects(job)).toBeGreaterThan(0);
    });
    expect(await listObjectFiles(id)).toEqual(named);
  });

  test("loses what a process left of an upload, and the audience is not locked meanwhile", async () => {
    const id = await audienceInObjects(10, world.fern);
    const named = await listObjectFiles(id);
    const block = {
      hashes: numbered(1)[0] ?? expect.fail(),
      flags: Uint8Array.of(8),
      canonicalHashes: new Uint8Array(0),
    };
    await writeBlocks(db(), await newGeneration(db(), id), [block]);
    const real = await fileStorage();
    const left = objectKey(id, newId<AudienceObjectId>());
    await real.put(left, Readable.from([Buffer.from("left")]), { bytes: 4, type });
    replaceFileStorage({ ...real, list: listSlowly(real, () => requireUnlocked(id)) });
    const reported: unknown[] = [];
    await withShortIdleTimeout(async (database) => {
      await sweepUploads({ ...world.job, db: database, report: (error) => void reported.push(error) });
    });
    expect(reported).toEqual([]);
    expect(await listObjectFiles(id)).not.toContain(left);
    await deleteDroppedObjects(world.job, { audienceIds: [id] });
    expect(await listObjectFiles(id)).toEqual(named);
  });

  test("makes a change of people unavailable at its deadline, so that a form gets its values back", async () => {
    const id = await audienceInObjects(10);
    let answer = () => {};
    const isAnswered = new Promise<void>((done) => {
      answer = done;
    });
    const change = changeInTransaction(world.harbor, { timeoutMs: 50 }, async (tx) => {
      await isAnswered;
      await audienceRow(tx, id);
    });
    await expect(change).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
    answer();
  });
});

async function requireUnlocked(id: AudienceId): Promise<void> {
  await db().select({ id: audiences.id }).from(audiences).where(eq(audiences.id, id)).for("update", { noWait: true });
}

test("a storage that does not respond leaves a page the last snapshots, and is asked for one of them only", async () => {
  const ids = [await audienceInObjects(10), await audienceInObjects(20)];
  const [first = expect.fail()] = ids;
  const known = await currentSnapshots(world.harbor, [first]);
  const add = [{ email: "new@example.com" }];
  for (const audienceId of ids) await updateMembers(world.harbor, { audienceId, add, remove: [] });
  const real = await fileStorage();
  let asked = 0;
  const get = () => {
    asked += 1;
    return new Promise<undefined>(() => undefined);
  };
  replaceFileStorage({ ...real, get });
  const reported: unknown[] = [];
  const tomorrow = () => new Date(world.harbor.clock().getTime() + 86_400_000);
  const by = { ...world.harbor, clock: tomorrow, report: (error: unknown) => void reported.push(error) };
  expect(await currentSnapshots(by, ids, { readMs: 100 })).toEqual(known);
  expect(reported).toMatchObject([{ name: "TimeoutError" }]);
  expect(asked).toBe(1);
});

test("a snapshot that is read while a person is erased does not have that person", async () => {
  const id = await audienceInObjects(10, world.fern);
  const real = await fileStorage();
  const get: FileStorage["get"] = async (...file) => {
    const stream = await real.get(...file);
    replaceFileStorage(real);
    await eraseIdentifiers(world.fern, { identifiers: ["person7@example.com"] });
    return stream;
  };
  replaceFileStorage({ ...real, get });
  expect(await currentSnapshots(world.fern, [id])).toMatchObject([{ version: 2, size: 9, erasures: 0 }]);
  const [snapshot] = await db().select().from(audienceSnapshots).where(eq(audienceSnapshots.audienceId, id));
  expect(snapshot?.people).toHaveLength(9 * personBytes);
});

/** In milliseconds; shorter than the storage takes here, longer than a busy machine needs between two statements. */
const idleMs = 500;

/** Runs work on connections that end a transaction which sends no statement for that long. */
async function withShortIdleTimeout(work: (database: Database) => Promise<void>): Promise<void> {
  const usual = { ...sessionSettings };
  Object.assign(sessionSettings, { idle_in_transaction_session_timeout: idleMs });
  const pool = openSecondPool({ url: db.url() });
  Object.assign(sessionSettings, usual);
  try {
    await work(pool.database({ deadlineMs: 30_000 }));
  } finally {
    await pool.close();
  }
}

test("a look-up is one ranged request for each generation", async () => {
  const id = await audienceInObjects(5_000);
  const real = await fileStorage();
  const ranges: unknown[] = [];
  const counting: FileStorage = {
    ...real,
    get: (key, range) => {
      ranges.push(range);
      return real.get(key, range);
    },
  };
  replaceFileStorage(counting);
  const lookUp = new MemberLookUp(db(), await openAudience(world.harbor, id));
  await lookUp.load([sha256("person17@example.com")]);
  expect(lookUp.find(sha256("person17@example.com"))).toBeDefined();
  expect(ranges).toEqual([{ start: expect.any(Number), end: expect.any(Number) }]);
});

test("objects are encrypted again with a new key, and are then read without the earlier one", async () => {
  const id = await audienceInObjects(1_200);
  const hashes = await loadStoredHashes(world.harbor, id);
  const named = await listObjectFiles(id);
  const known = environment.env();
  const newer = "n".repeat(32);
  const encryptWith = (encryptionSecrets: string[]) =>
    vi.spyOn(environment, "env").mockReturnValue({ ...known, encryptionSecrets });
  try {
    encryptWith([newer]);
    // Objects of other tests are in storages that are gone.
    const without = await reencryptAudienceObjects(world.job);
    expect(without.reencrypted).toBe(0);
    expect(await listObjectFiles(id)).toEqual(named);
    encryptWith([newer, ...known.encryptionSecrets]);
    const real = await fileStorage();
    const put: FileStorage["put"] = async (key, ...file) => {
      if (key.includes(id)) await sleep(4 * idleMs);
      await real.put(key, ...file);
    };
    replaceFileStorage({ ...real, put });
    await withShortIdleTimeout(async (database) => {
      const { reencrypted, unreadable } = await reencryptAudienceObjects({ ...world.job, db: database });
      expect(reencrypted + unreadable).toBe(without.unreadable);
      expect(reencrypted).toBeGreaterThan(0);
      expect(await reencryptAudienceObjects(world.job)).toEqual({ reencrypted: 0, unreadable });
    });
    replaceFileStorage(real);
    expect(await listObjectFiles(id)).not.toEqual(named);
    expect(await listObjectFiles(id)).toEqual(await listObjectRows(db(), id));
    encryptWith([newer]);
    expect(await loadStoredHashes(world.harbor, id)).toEqual(hashes);
    // As it was for the other tests.
    encryptWith([...known.encryptionSecrets, newer]);
    await reencryptAudienceObjects(world.job);
  } finally {
    vi.restoreAllMocks();
  }
});

test("an audience moves to objects and back while calls and a file change it, and loses nobody", async () => {
  replaceAudienceStore(undefined);
  const id = await audienceOfPeople(world.harbor, 1_000);
  const move = (store: BlockStoreKind) => moveAudiences(world.job, { store, ids: [id], onMoved: () => undefined });
  let isChanging = true;
  let moves = 0;
  const moving = (async () => {
    for (; isChanging || moves % 2 === 1; moves += 1) await move(moves % 2 === 0 ? "objects" : "rows");
    return moves;
  })();
  const callers = Array.from({ length: 2 }, async (_, caller) => {
    // However fast the calls are, the audience moves there, back and there again meanwhile.
    for (let call = 0; call < 6 || moves < 3; call += 1) {
      const add = [{ email: `call${call}of${caller}@example.com` }];
      const remove = [{ email: `person${2 * call + caller}@example.com` }];
      await updateMembers(world.harbor, { audienceId: id, add, remove });
    }
  });
  const file = upload(world.harbor, { audienceId: id, files: [people(300, 5_000)] });
  await Promise.all([...callers, file]);
  isChanging = false;
  expect(await moving).toBeGreaterThan(2);
  expect(await file).toMatchObject({ status: "succeeded", peopleAdded: 300 });
  const before = await loadStoredHashes(world.harbor, id);
  expect(before).toHaveLength(1_300);
  const { version, generation } = await audienceRow(world.harbor, id);

  expect(await move("objects")).toEqual({ left: 0 });
  const row = await audienceRow(world.harbor, id);
  expect(row).toMatchObject({ size: 1_300, version, objectGeneration: row.generation });
  expect(row.generation).not.toBe(generation);
  expect(await loadStoredHashes(world.harbor, id)).toEqual(before);
  // Again: there is nothing to do.
  expect(await move("objects")).toEqual({ left: 0 });
  expect((await audienceRow(world.harbor, id)).generation).toBe(row.generation);
  expect(await move("rows")).toEqual({ left: 0 });
  expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 1_300, objectGeneration: null });
  expect(await loadStoredHashes(world.harbor, id)).toEqual(before);
  expect(await listObjectFiles(id)).toEqual([]);
});

test("a move whose objects are not what was written leaves the audience in its rows", async () => {
  const real = await fileStorage();
  replaceAudienceStore("rows");
  const id = await audienceOfPeople(world.harbor, 10);
  const before = await audienceRow(world.harbor, id);
  const truncated = Readable.from([]);
  replaceFileStorage({ ...real, get: async () => truncated });
  const reported: unknown[] = [];
  const ctx = { ...world.job, report: (error: unknown) => void reported.push(error) };
  expect(await moveAudiences(ctx, { store: "objects", ids: [id], onMoved: () => undefined })).toEqual({ left: 1 });
  expect(reported).toEqual([expect.any(DecryptionError)]);
  expect(await audienceRow(world.harbor, id)).toEqual(before);
  expect(await listObjectFiles(id)).toEqual([]);
});

test("a move goes on after an audience whose transaction fails", async () => {
  replaceAudienceStore("rows");
  const ids = [await audienceOfPeople(world.harbor, 10), await audienceOfPeople(world.harbor, 10)] as const;
  const [failing, other] = ids;
  const real = await fileStorage();
  const put: FileStorage["put"] = async (key, ...file) => {
    await real.put(key, ...file);
    if (key.includes(failing)) await endIdleTransactions();
  };
  replaceFileStorage({ ...real, put });
  const [reported, moved]: [unknown[], AudienceId[]] = [[], []];
  const ctx = { ...world.job, report: (error: unknown) => void reported.push(error) };
  const move = () => moveAudiences(ctx, { store: "objects", ids: [...ids], onMoved: (id) => void moved.push(id) });
  expect(await move()).toEqual({ left: 1 });
  expect(moved).toEqual([other]);
  expect(reported).toHaveLength(1);
  expect(await listObjectFiles(failing)).toEqual([]);
  replaceFileStorage(real);
  expect(await move()).toEqual({ left: 0 });
  expect(moved).toEqual([other, failing]);
});

/** Ends the connections whose transaction waits for its process. */
async function endIdleTransactions(): Promise<void> {
  await db().execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`);
}

test("a move to rows is complete while the storage refuses to delete the objects", async () => {
  const id = await audienceInObjects(10);
  const named = await listObjectFiles(id);
  const real = await fileStorage();
  const deleteVersions = async () => {
    throw new StorageError(Object.assign(new Error(), { name: "AccessDenied" }));
  };
  replaceFileStorage({ ...real, deleteVersions });
  const reported: unknown[] = [];
  const ctx = { ...world.job, report: (error: unknown) => void reported.push(error) };
  expect(await moveAudiences(ctx, { store: "rows", ids: [id], onMoved: () => undefined })).toEqual({ left: 0 });
  expect(reported).toEqual([expect.any(AggregateError)]);
  expect(await loadStoredHashes(world.harbor, id)).toHaveLength(10);
  expect(await listObjectFiles(id)).toEqual(named);
  replaceFileStorage(real);
  await deleteDroppedObjects(world.job, { audienceIds: [id] });
  expect(await listObjectFiles(id)).toEqual([]);
});

describe("a changed object", () => {
  const flipByte = (bytes: Buffer) => {
    const at = bytes.length - 20;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  test.each([
    ["of which a byte is another", async (own: Buffer) => flipByte(own)],
    ["that is another audience's", async () => await readObject(await audienceInObjects(10))],
    ["that is too short", async (own: Buffer) => own.subarray(0, 40)],
  ])("%s is an error of what needs its people, and changes nobody", async (_, change) => {
    const id = await audienceInObjects(10);
    const [key = ""] = await listObjectFiles(id);
    const changed = await change(await readObject(id));
    await (await fileStorage()).put(key, Readable.from([changed]), { bytes: changed.length, type });
    const add = [{ email: "new@example.com" }];
    await expect(updateMembers(world.harbor, { audienceId: id, add, remove: [] })).rejects.toMatchObject({
      name: "DomainError",
      code: "unavailable",
      cause: expect.any(DecryptionError),
    });
    const reported: unknown[] = [];
    const by = { ...world.harbor, report: (error: unknown) => void reported.push(error) };
    expect(await upload(by, { audienceId: id, files: [people(20)] })).toMatchObject({
      status: "failed",
      error: expect.stringContaining("The audience was not changed"),
    });
    expect(await currentSnapshots(by, [id])).toEqual([]);
    expect(reported).toHaveLength(2);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 10, version: 1 });
  });

  test("that is missing is not read as an audience without people", async () => {
    const id = await audienceInObjects(10);
    await (await fileStorage()).delete(await listObjectFiles(id));
    await expect(loadStoredHashes(world.harbor, id)).rejects.toMatchObject({ code: "unavailable" });
  });
});

async function readObject(id: AudienceId): Promise<Buffer> {
  const [key = ""] = await listObjectFiles(id);
  const stream = await (await fileStorage()).get(key);
  if (!stream) throw new Error("no object");
  return await buffer(stream);
}
