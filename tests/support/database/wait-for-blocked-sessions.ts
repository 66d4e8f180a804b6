import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

const polling = { interval: 5, timeout: 10_000 };

/** Resolves once this many connections to the database wait for another's lock. */
export async function waitForBlockedSessions(db: Database, many: number): Promise<void> {
  await vi.waitUntil(async () => (await countBlockedSessions(db)) === many, polling);
}

/** Resolves once a connection to the database waits for another's lock, or the work has ended without that. */
export async function waitUntilBlockedOrDone(db: Database, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  work.catch(() => undefined).finally(() => (isDone = true));
  await vi.waitUntil(async () => isDone || (await countBlockedSessions(db)) > 0, polling);
}

async function countBlockedSessions(db: Database): Promise<number> {
  const waiting = sql`select count(*)::int as many from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await queryRows(db, z.object({ many: z.number() }), waiting))[0]?.many ?? 0;
}
