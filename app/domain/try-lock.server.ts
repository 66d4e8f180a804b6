import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

const lockRow = z.object({ isOurs: z.boolean() });

/** Takes the advisory lock of a name until the transaction ends. Returns false when another session has it. */
export async function tryLock(tx: Database, name: string): Promise<boolean> {
  const key = sql`hashtextextended(${name}, 0)`;
  const [lock] = await queryRows(tx, lockRow, sql`select pg_try_advisory_xact_lock(${key}) as "isOurs"`);
  return lock?.isOurs === true;
}
