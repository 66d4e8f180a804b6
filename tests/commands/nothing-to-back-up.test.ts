import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { postgres } from "#db/driver.server.ts";
import { backups } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { runCommand, runCommandWith } from "./run-command.ts";

const db = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "endcap-nothing-"));
const archive = join(folder, "endcap.tar.gz");
afterAll(() => rmSync(folder, { recursive: true }));

const advice = "Run the command with the servers' settings: DATABASE_URL, or DATA_DIR with the embedded database.\n";

test("a backup where no server has run fails, and makes no database", async () => {
  const dataDir = join(folder, "data");
  const environment = { DATABASE_URL: "", DATABASE_OWNER_URL: "", SESSION_SECRET: "", DATA_DIR: dataDir };
  expect(await runCommandWith({ ownerUrl: db.ownerUrl(), environment }, "backup", archive)).toBe(
    `1: There is nothing to back up: there is no database yet. ${advice}`,
  );
  expect([existsSync(join(dataDir, "postgres")), existsSync(archive)]).toEqual([false, false]);
}, 240_000);

test("a backup of a database without tables fails, and makes none", async () => {
  const ownerUrl = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  try {
    expect(await runCommand(ownerUrl, "backup", archive)).toBe(
      `1: There is nothing to back up: there is no database yet. ${advice}`,
    );
    const sql = postgres(ownerUrl, { max: 1 });
    expect(await sql`select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`).toHaveLength(
      0,
    );
    await sql.end();
  } finally {
    await dropDatabaseCopy(ownerUrl);
  }
  expect(existsSync(archive)).toBe(false);
});

test("a backup of a database without accounts fails", async () => {
  expect(await runCommand(db.ownerUrl(), "backup", archive)).toBe(
    `1: There is nothing to back up: the database has no accounts. ${advice}`,
  );
  expect([existsSync(archive), await db().$count(backups)]).toEqual([false, 0]);
});
