import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

/** Resolves once this many connections to the database wait for another's lock. */
export async function waitForBlockedSessions(db: Database, many: number): Promise<void> {
  const waiting = sql`select count(*)::int as many from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await queryRows(db, z.object({ many: z.number() }), waiting))[0]?.many === many, {
    interval: 5,
    timeout: 10_000,
  });
}
