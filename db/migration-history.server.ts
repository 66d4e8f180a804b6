import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";
import { z } from "zod";
import { StartupError } from "#app/startup-error.ts";

/**
 * Rejects a database whose migrations do not start with this version's: drizzle compares only dates and would run this
 * version's migrations on existing tables. A database with additional migrations was migrated by a newer version, which
 * this version may run beside or after (docs/decisions/0044).
 */
export async function requireKnownMigrations(sql: Sql, { migrationsFolder }: { migrationsFolder: string }) {
  const applied = await appliedMigrations(sql);
  const known = readMigrationFiles({ migrationsFolder });
  const unknown = applied.findIndex((hash, index) => index < known.length && hash !== known[index]?.hash);
  if (unknown !== -1) {
    throw new StartupError(
      `The database was created by a version of Endcap that this version cannot upgrade: migration ${unknown} differs. Start with an empty database: name one in DATABASE_URL, or move the folder "postgres" out of DATA_DIR`,
    );
  }
}

/** Returns the hashes of the applied migrations, in the order in which they ran. */
async function appliedMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (!z.object({ exists: z.boolean() }).parse(table).exists) return [];
  const rows = await sql`select hash from drizzle.__drizzle_migrations order by id`;
  return z
    .array(z.object({ hash: z.string() }))
    .parse(rows)
    .map(({ hash }) => hash);
}
