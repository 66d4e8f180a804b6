import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { database, type ReadDatabase } from "./client.server.ts";
import { queryRows } from "./query-rows.server.ts";
import { readNeededMigrations } from "./run-migrations.server.ts";

const hashRow = z.object({ hash: z.string() });
export const migrationsFolder = projectFile("db/migrations");
let knownHashes: string[] | undefined;

/**
 * Rejects a database whose migrations do not start with this version's: drizzle compares only dates and would run this
 * version's migrations on existing tables. A database with additional migrations was migrated by a newer version, which
 * this version may run beside or after (docs/decisions/0044), unless one of them removed what this version uses.
 */
export async function requireKnownMigrations(connection: Sql): Promise<void> {
  const applied = await appliedMigrations(connection);
  const known = readMigrationFiles({ migrationsFolder });
  if ((await readNeededMigrations(connection)) > known.length) {
    throw new StartupError(
      "The database was migrated by a newer version of Endcap, which removed what this version uses. Start that version, or a newer one",
    );
  }
  const unknown = applied.findIndex((hash, index) => index < known.length && hash !== known[index]?.hash);
  if (unknown !== -1) {
    throw new StartupError(
      `The database was created by a version of Endcap that this version cannot upgrade: migration ${unknown} differs. Start with an empty database: name one in DATABASE_URL, or move the folder "postgres" out of DATA_DIR`,
    );
  }
}

/** Whether any version has migrated the database. */
export async function hasMigrations(connection: Sql): Promise<boolean> {
  return (await appliedMigrations(connection)).length > 0;
}

/** Whether a newer version migrated the database: it has all migrations of this version, and more. */
export async function isOfNewerVersion(connection: Sql): Promise<boolean> {
  return (await appliedMigrations(connection)).length > countKnownMigrations();
}

/** Returns how many migrations this version has. */
export function countKnownMigrations(): number {
  return hashesOfMigrations().length;
}

function hashesOfMigrations(): string[] {
  knownHashes ??= readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);
  return knownHashes;
}

/** Returns how many of this version's migrations the database does not have: the process's own, or `db`. */
export async function countMissingMigrations(db: ReadDatabase = database()): Promise<number> {
  const rows = await queryRows(db, hashRow, sql`select hash from drizzle.__drizzle_migrations`);
  const applied = countEach(rows.map(({ hash }) => hash));
  // Two migrations may have the same SQL, such as those that validate a constraint again.
  return [...countEach(hashesOfMigrations())].reduce(
    (missing, [hash, count]) => missing + Math.max(0, count - (applied.get(hash) ?? 0)),
    0,
  );
}

function countEach(hashes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

/** Returns the hashes of the applied migrations, in the order in which they ran. */
async function appliedMigrations(connection: Sql): Promise<string[]> {
  const [table] = await connection`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (!z.object({ exists: z.boolean() }).parse(table).exists) return [];
  const rows = await connection`select hash from drizzle.__drizzle_migrations order by id`;
  return z
    .array(hashRow)
    .parse(rows)
    .map(({ hash }) => hash);
}
