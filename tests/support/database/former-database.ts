import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { inject } from "vitest";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { postgres } from "#db/driver.server.ts";
import { runMigrations } from "#db/run-migrations.server.ts";
import { createDatabaseCopy, dropDatabaseCopy, serverUrl } from "./database-copies.ts";

const migrationsFolder = projectFile("db/migrations");
const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ idx: z.number() })) });

/**
 * A database of a former version, with one connection for each role: what servers of that version have while it is
 * migrated.
 */
export type FormerDatabase = {
  owner: Sql;
  /** Opens a connection of another server of that version. */
  connectServer: () => Sql;
  /** Runs the migrations since, as a deployment does. */
  migrate: (retry: { attempts: number; pauseMs: number }) => Promise<void>;
  drop: () => Promise<void>;
};

/** Creates a database with the migrations before the one of that number. */
export async function createFormerDatabase(firstMigration: number): Promise<FormerDatabase> {
  const url = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  const connections: Sql[] = [];
  const connect = (to: string) => {
    const sql = postgres(to, { max: 1, onnotice: () => undefined });
    connections.push(sql);
    return sql;
  };
  const owner = connect(url);
  await migrateUntil(owner, firstMigration);
  await owner`grant select, insert, update, delete on all tables in schema public to endcap_server`;
  return {
    owner,
    connectServer: () => connect(serverUrl(url)),
    migrate: (retry) => runMigrations(owner, { migrationsFolder, retry }),
    async drop() {
      await Promise.all(connections.map((sql) => sql.end()));
      await dropDatabaseCopy(url);
    },
  };
}

/** Runs the migrations before the one of that number. */
export async function migrateUntil(owner: Sql, firstMigration: number): Promise<void> {
  const former = mkdtempSync(join(tmpdir(), "endcap-migrations-"));
  try {
    cpSync(migrationsFolder, former, { recursive: true });
    const file = join(former, "meta/_journal.json");
    const journal = journalSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    const entries = journal.entries.filter(({ idx }) => idx < firstMigration);
    writeFileSync(file, JSON.stringify({ ...journal, entries }));
    await runMigrations(owner, { migrationsFolder: former });
  } finally {
    rmSync(former, { recursive: true });
  }
}
