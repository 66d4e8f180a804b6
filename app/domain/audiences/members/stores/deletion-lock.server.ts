import type { Database } from "#db/client.server.ts";
import { tryLock } from "../try-lock.server.ts";

/** A backup holds this advisory lock shared from before its snapshot until it has copied the objects that the snapshot names. */
export const deletionLockName = "audience_object_deletions";

/** Locks the deletion of objects until the transaction ends. Returns false while a backup is written, or others delete. */
export function tryDeletionLock(tx: Database): Promise<boolean> {
  return tryLock(tx, deletionLockName);
}
