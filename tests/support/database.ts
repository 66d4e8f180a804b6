import { afterAll, beforeAll, inject } from "vitest";
import { closeDatabase, type Database, openDatabase } from "#db/client.server.ts";
import { createCopy, dropCopy } from "./database-copies.ts";

/**
 * Gives the test file a migrated, empty database of its own, opened as the process's (`database()` is it too).
 * Call it once at the top; `db()` is good from the first `beforeAll` after it on.
 */
export function useDatabase(): (() => Database) & { url: () => string } {
  let open: { db: Database; url: string } | undefined;

  beforeAll(async () => {
    const url = await createCopy(inject("clusterUrl"));
    open = { db: openDatabase({ url }), url };
  });

  afterAll(async () => {
    await closeDatabase();
    if (open) await dropCopy(open.url);
  });

  function opened() {
    if (!open) throw new Error("The test database is open from beforeAll on");
    return open;
  }
  return Object.assign(() => opened().db, { url: () => opened().url });
}
