import { and, asc, gt, inArray } from "drizzle-orm";
import { StorageError } from "#app/storage/file-storage.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { audienceObjectDeletions } from "#db/schema/index.ts";
import { hasAccounts } from "../../../accounts/has-accounts.server.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import { type AudienceId, type AudienceObjectId, parseId } from "../../../ids.ts";
import { reportError } from "../../../report-error.ts";
import { requireOwnStorage } from "../../../storage-owner.server.ts";
import { tryDeletionLock } from "./deletion-lock.server.ts";
import { objectKey, objectsFolder } from "./object-key.ts";
import { filterNamed } from "./object-rows.server.ts";

const batchSize = 50;
/** A storage that refuses so many probably refuses all. */
const maxRefusals = 1_000;
/** Younger objects may belong to a change that has not inserted their rows yet. In milliseconds. */
const unnamedGraceMs = 24 * 3_600_000;

/**
 * Deletes objects from the storage, in all versions, that no generation has any more: all, or those of some audiences.
 * Returns their number. While a backup is written, they stay. The storage may take any time: no transaction waits for
 * it. One that the storage refuses to delete keeps no other from it; an `AggregateError` in the end has the refusals.
 * Throws a StorageError when the storage is another database's.
 */
export async function deleteDroppedObjects(ctx: Ctx, of: { audienceIds?: AudienceId[] } = {}): Promise<number> {
  const refusals: unknown[] = [];
  let deleted = 0;
  for (let after: AudienceObjectId | undefined; ; ) {
    const rows = await ctx.db.transaction((tx) => findDropped(tx, { ...of, after }));
    deleted += await deleteBatch(ctx, rows, refusals);
    after = rows.at(-1)?.objectId;
    if (rows.length < batchSize || refusals.length >= maxRefusals || ctx.stopping?.aborted) break;
  }
  throwRefusals(refusals);
  return deleted;
}

/** Deletes them for a change that is complete already: an error is reported, and a job repeats what failed. */
export async function tryDeleteDroppedObjects(ctx: Ctx, of: { audienceIds?: AudienceId[] } = {}): Promise<void> {
  await deleteDroppedObjects(ctx, of).catch((error: unknown) => reportError(ctx, error, { work: "delete_objects" }));
}

function throwRefusals(refusals: readonly unknown[]): void {
  if (refusals.length === 0) return;
  throw new AggregateError(refusals.slice(0, 20), `the storage refused to delete ${refusals.length} objects`);
}

type Dropped = typeof audienceObjectDeletions.$inferSelect;
type DroppedPart = { audienceIds?: AudienceId[]; after: AudienceObjectId | undefined };

async function findDropped(tx: Database, { audienceIds, after }: DroppedPart): Promise<Dropped[]> {
  if (!(await tryDeletionLock(tx))) return [];
  const { audienceId, objectId } = audienceObjectDeletions;
  return tx
    .select()
    .from(audienceObjectDeletions)
    .where(and(audienceIds && inArray(audienceId, audienceIds), after && gt(objectId, after)))
    .orderBy(asc(objectId))
    .limit(batchSize);
}

/** Returns how many were deleted, and adds to the refusals. */
async function deleteBatch(ctx: Ctx, rows: readonly Dropped[], refusals: unknown[]): Promise<number> {
  if (rows.length === 0) return 0;
  await requireOwnStorage(ctx);
  const deleted: AudienceObjectId[] = [];
  try {
    for (const { audienceId, objectId } of rows)
      if (await deleteUnlessRefused(objectKey(audienceId, objectId), refusals)) deleted.push(objectId);
  } finally {
    if (deleted.length > 0)
      await ctx.db.delete(audienceObjectDeletions).where(inArray(audienceObjectDeletions.objectId, deleted));
  }
  return deleted.length;
}

/** Returns false, and adds to the refusals, when the storage refuses to delete the object. */
async function deleteUnlessRefused(key: string, refusals: unknown[]): Promise<boolean> {
  try {
    await deleteObjects([key]);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError && error.isRefusal)) throw error;
    refusals.push(error);
    return false;
  }
}

/**
 * Deletes objects that no row names, which are left of processes that ended, once they are a day old. Those that the
 * storage refuses to delete are as for `deleteDroppedObjects`. Without accounts nothing is deleted, as by
 * `sweepCreatives`. Throws a StorageError when the storage is another database's.
 */
export async function sweepObjects(ctx: Ctx<JobActor>): Promise<number> {
  if (!(await hasAccounts(ctx))) return 0;
  await requireOwnStorage(ctx);
  const before = new Date(ctx.clock().getTime() - unnamedGraceMs);
  const objects: string[] = [];
  for await (const { key, storedAt } of (await fileStorage()).list(objectsFolder))
    if (storedAt < before) objects.push(key);
  const refusals: unknown[] = [];
  let deleted = 0;
  for (
    let from = 0;
    from < objects.length && refusals.length < maxRefusals && !ctx.stopping?.aborted;
    from += batchSize
  ) {
    const keys = objects.slice(from, from + batchSize);
    const unnamed = await ctx.db.transaction((tx) => findUnnamed(tx, keys));
    for (const key of unnamed) if (await deleteUnlessRefused(key, refusals)) deleted += 1;
  }
  throwRefusals(refusals);
  return deleted;
}

/** Deletes objects from the storage, in all versions. */
export async function deleteObjects(keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await (await fileStorage()).deleteVersions(keys);
}

/** Lists the keys of all objects of an audience in the storage, whether rows name them or not. */
export async function listObjectKeys(audienceId: AudienceId): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of (await fileStorage()).list(`${objectsFolder}${audienceId}/`)) keys.push(key);
  return keys;
}

/**
 * Returns those of some objects that no row names and that may be deleted, in a transaction; none while a backup is
 * written. Nobody else may be writing any of them.
 */
export async function findUnnamed(tx: Database, keys: readonly string[]): Promise<string[]> {
  return (await tryDeletionLock(tx)) ? filterUnnamed(tx, keys) : [];
}

/** Returns those of some objects that no row names at this moment. */
export async function filterUnnamed(db: Database, keys: readonly string[]): Promise<string[]> {
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
