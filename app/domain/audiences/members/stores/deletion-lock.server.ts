import type { Database } from "#db/client.server.ts";
import { tryLock } from "../../../try-lock.server.ts";

/**
 * A backup holds this advisory lock shared from before its snapshot until it has copied the objects that the snapshot
 * names.
 */
export const deletionLockName = "audience_object_deletions";

/**
 * Locks out backups until the transaction ends. Returns false while one is written, or another process has the lock.
 * What the transaction reads as named by no row may be deleted after it too: the snapshot of a backup that begins then
 * does not name it.
 */
export function tryDeletionLock(tx: Database): Promise<boolean> {
  return tryLock(tx, deletionLockName);
}
