import type { Database } from "#db/client.server.ts";
import { backups } from "#db/schema/index.ts";

/**
 * Records that there is an archive of a moment, so that metrics show a backup that stopped. Repeated, it changes
 * nothing.
 */
export async function recordBackup(db: Database, takenAt: Date): Promise<void> {
  await db.insert(backups).values({ takenAt }).onConflictDoNothing();
}
