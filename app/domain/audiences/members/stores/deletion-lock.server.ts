import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

/** A backup holds this advisory lock shared from before its snapshot until it has copied the objects that the snapshot names. */
export const deletionLockName = "audience_object_deletions";

const lockRow = z.object({ isOurs: z.boolean() });

/** Locks the deletion of objects until the transaction ends. Returns false while a backup is written, or others delete. */
export async function tryDeletionLock(tx: Database): Promise<boolean> {
  const key = sql`hashtextextended(${deletionLockName}, 0)`;
  const [lock] = await queryRows(tx, lockRow, sql`select pg_try_advisory_xact_lock(${key}) as "isOurs"`);
  return lock?.isOurs === true;
}
