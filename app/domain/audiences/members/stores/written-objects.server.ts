import { inArray, is } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { Ctx } from "../../../context.ts";
import type { AudienceId, AudienceObjectId } from "../../../ids.ts";
import { reportError } from "../../../report-error.ts";
import { inLongTransaction } from "../../../transaction.server.ts";
import { objectKey } from "./object-key.ts";
import { filterKnown } from "./object-rows.server.ts";

/** `stored` settles once the object and the row that names it are stored, or one of them failed. */
type Written = { audienceId: AudienceId; objectId: AudienceObjectId; stored: Promise<void> };

/** By transaction; an AsyncLocalStorage would cost each request a tenth of its time. */
const written = new WeakMap<Database, Written[]>();

/** Notes an object that is being written, for `withoutUnnamedObjects`. */
export function noteWrittenObject(db: Database, object: Written): void {
  written.get(db)?.push(object);
}

/**
 * Runs work that changes audiences in transactions, each of which it passes to `track`, and then deletes the objects
 * that they wrote and no row names, because a transaction was rolled back: their people may be erased by then. Those
 * that were dropped since are left to the job that deletes them, because a backup may be copying them. A process that
 * ends meanwhile leaves all to the job that deletes objects which no row names.
 */
export async function withoutUnnamedObjects<T>(
  ctx: Ctx,
  work: (track: (tx: Database) => void) => Promise<T>,
): Promise<T> {
  const objects: Written[] = [];
  let hasFailed = true;
  try {
    const result = await work((tx) => void written.set(tx, objects));
    hasFailed = false;
    return result;
  } finally {
    await deleteUnnamed(ctx, { objects, hasFailed }).catch((error: unknown) =>
      reportError(ctx, error, { work: "delete_objects", step: "cleanup" }),
    );
  }
}

async function deleteUnnamed(
  ctx: Ctx,
  { objects, hasFailed }: { objects: readonly Written[]; hasFailed: boolean },
): Promise<void> {
  if (objects.length === 0) return;
  // When one object fails, the writes of others may not have ended.
  await Promise.allSettled(objects.map(({ stored }) => stored));
  const known = hasFailed
    ? await filterCommitted(ctx, objects)
    : await filterKnown(
        ctx.db,
        objects.map(({ objectId }) => objectId),
      );
  const keys = objects.filter((object) => !known.has(object.objectId));
  await (await fileStorage()).deleteVersions(keys.map((object) => objectKey(object.audienceId, object.objectId)));
}

/**
 * Returns those of the objects that rows name or named, once no transaction that wrote them can commit any more. The
 * response to a commit may be lost while the commit goes on; until it ends, its transaction has the lock of each
 * audience that it changed.
 */
async function filterCommitted(ctx: Ctx, objects: readonly Written[]): Promise<Set<AudienceObjectId>> {
  const ids = objects.map(({ objectId }) => objectId);
  // A caller's transaction has the locks itself, and sees its own rows.
  if (is(ctx.db, PgTransaction)) return await filterKnown(ctx.db, ids);
  return await inLongTransaction(ctx, async ({ db }) => {
    const changed = inArray(audiences.id, [...new Set(objects.map(({ audienceId }) => audienceId))]);
    await db.select({ id: audiences.id }).from(audiences).where(changed).orderBy(audiences.id).for("no key update");
    return await filterKnown(db, ids);
  });
}
