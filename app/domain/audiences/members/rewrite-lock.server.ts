import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import type { AudienceId } from "../../ids.ts";

const lockRow = z.object({ isOurs: z.boolean() });

/**
 * Locks an audience against others that write its people again as they are (merges of deltas), until the transaction ends.
 * Returns false when another one does.
 */
export async function tryRewriteLock(db: Database, id: AudienceId): Promise<boolean> {
  const key = sql`hashtextextended(${`audience_deltas ${id}`}, 0)`;
  const [lock] = await queryRows(db, lockRow, sql`select pg_try_advisory_xact_lock(${key}) as "isOurs"`);
  return lock?.isOurs === true;
}
