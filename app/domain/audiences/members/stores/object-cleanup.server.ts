import { inArray } from "drizzle-orm";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { audienceObjectDeletions } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import { type AudienceId, type AudienceObjectId, parseId } from "../../../ids.ts";
import { tryDeletionLock } from "./deletion-lock.server.ts";
import { objectKey, objectsFolder } from "./object-key.ts";
import { filterNamed } from "./object-rows.server.ts";

const batchSize = 50;
/** Younger objects may belong to a change that has not inserted their rows yet. In milliseconds. */
const unnamedGraceMs = 24 * 3_600_000;

/**
 * Deletes objects from the storage, in all versions, that no generation has any more: all, or those of some audiences.
 * Returns their number. While a backup is written, they stay.
 */
export async function deleteDroppedObjects(ctx: Ctx, of: { audienceIds?: AudienceId[] } = {}): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await ctx.db.transaction((tx) => deleteBatch(tx, of.audienceIds));
    deleted += count;
    if (count < batchSize || ctx.stopping?.aborted) return deleted;
  }
}

async function deleteBatch(tx: Database, audienceIds: AudienceId[] | undefined): Promise<number> {
  if (!(await tryDeletionLock(tx))) return 0;
  const { audienceId, objectId } = audienceObjectDeletions;
  const rows = await tx
    .select()
    .from(audienceObjectDeletions)
    .where(audienceIds && inArray(audienceId, audienceIds))
    .limit(batchSize);
  if (rows.length === 0) return 0;
  await (await fileStorage()).deleteVersions(rows.map((row) => objectKey(row.audienceId, row.objectId)));
  const ids = rows.map((row) => row.objectId);
  await tx.delete(audienceObjectDeletions).where(inArray(objectId, ids));
  return rows.length;
}

/** Deletes objects that no row names, which are left of processes that ended, once they are a day old. */
export async function sweepObjects(ctx: Ctx<JobActor>): Promise<number> {
  const before = new Date(ctx.clock().getTime() - unnamedGraceMs);
  const objects: string[] = [];
  for await (const { key, storedAt } of (await fileStorage()).list(objectsFolder))
    if (storedAt < before) objects.push(key);
  let deleted = 0;
  for (let from = 0; from < objects.length && !ctx.stopping?.aborted; from += batchSize) {
    const keys = objects.slice(from, from + batchSize);
    deleted += await ctx.db.transaction((tx) => deleteUnnamed(tx, keys));
  }
  return deleted;
}

/**
 * Deletes all objects of an audience that no row names, in a transaction. Nobody else may be writing any.
 */
export async function deleteObjectsLeftOf(tx: Database, audienceId: AudienceId): Promise<void> {
  await deleteUnnamed(tx, await listKeysOf(audienceId));
}

/** Whether an audience has objects that no row names, at this moment. */
export async function hasUnnamedObjects(db: Database, audienceId: AudienceId): Promise<boolean> {
  return (await filterUnnamed(db, await listKeysOf(audienceId))).length > 0;
}

async function listKeysOf(audienceId: AudienceId): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of (await fileStorage()).list(`${objectsFolder}${audienceId}/`)) keys.push(key);
  return keys;
}

async function deleteUnnamed(tx: Database, keys: readonly string[]): Promise<number> {
  if (!(await tryDeletionLock(tx))) return 0;
  const unnamed = await filterUnnamed(tx, keys);
  await (await fileStorage()).deleteVersions(unnamed);
  return unnamed.length;
}

async function filterUnnamed(db: Database, keys: readonly string[]): Promise<string[]> {
  const ids = keys.flatMap((key) => objectIdOfKey(key) ?? []);
  const named = await filterNamed(db, ids);
  return keys.filter((key) => {
    const id = objectIdOfKey(key);
    return id === undefined || !named.has(id);
  });
}

function objectIdOfKey(key: string): AudienceObjectId | undefined {
  return parseId<AudienceObjectId>(key.split("/").at(-1));
}
