import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import type { Ctx } from "../../../context.ts";
import type { AudienceId, AudienceObjectId } from "../../../ids.ts";
import { reportError } from "../../../report-error.ts";
import { objectKey } from "./object-key.ts";
import { filterNamed } from "./object-rows.server.ts";

/** `stored` settles once the object and the row that names it are stored, or one of them failed. */
type Written = { audienceId: AudienceId; objectId: AudienceObjectId; stored: Promise<void> };

/** By transaction; an AsyncLocalStorage would cost each request a tenth of its time. */
const written = new WeakMap<Database, Written[]>();

/** Notes an object that is being written, for `withoutUnnamedObjects`. */
export function noteWrittenObject(db: Database, object: Written): void {
  written.get(db)?.push(object);
}

/**
 * Runs work that changes audiences in transactions, each of which it passes to `track`, and then deletes the objects that
 * they wrote and no row names, because a transaction was rolled back: their people may be erased by then. A process that
 * ends meanwhile leaves them to the job that deletes objects which no row names.
 */
export async function withoutUnnamedObjects<T>(
  ctx: Ctx,
  work: (track: (tx: Database) => void) => Promise<T>,
): Promise<T> {
  const objects: Written[] = [];
  try {
    return await work((tx) => void written.set(tx, objects));
  } finally {
    await deleteUnnamed(ctx, objects).catch((error: unknown) =>
      reportError(ctx, error, { work: "delete_objects", step: "cleanup" }),
    );
  }
}

async function deleteUnnamed(ctx: Ctx, objects: readonly Written[]): Promise<void> {
  if (objects.length === 0) return;
  // When one object fails, the writes of others may not have ended.
  await Promise.allSettled(objects.map(({ stored }) => stored));
  const named = await filterNamed(
    ctx.db,
    objects.map(({ objectId }) => objectId),
  );
  const keys = objects.filter((object) => !named.has(object.objectId));
  await (await fileStorage()).deleteVersions(keys.map((object) => objectKey(object.audienceId, object.objectId)));
}
