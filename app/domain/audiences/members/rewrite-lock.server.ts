import type { Database } from "#db/client.server.ts";
import type { AudienceId } from "../../ids.ts";
import { tryLock } from "../../try-lock.server.ts";

/**
 * Locks an audience against others that write its people again as they are (merges of deltas), until the transaction
 * ends. Returns false when another one does.
 */
export function tryRewriteLock(tx: Database, id: AudienceId): Promise<boolean> {
  return tryLock(tx, `audience_deltas ${id}`);
}
