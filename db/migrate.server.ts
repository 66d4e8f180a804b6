import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { errorCode, StartError } from "#app/start-error.ts";
import { postgres } from "./driver.server.ts";
import { type DatabaseRoles, grantServerRole } from "./grant-server-role.server.ts";
import { requireKnownMigrations } from "./migration-history.server.ts";

const oldestMajor = 15;
/** Any number that nothing else in this database locks. */
const migrationLock = 4_206_660_815;

type Migrated = Pick<DatabaseRoles, "ownerUrl"> & Partial<DatabaseRoles>;

/**
 * Brings the database up to date. Several processes may call it at once: they take turns behind an advisory lock on a
 * connection of their own (drizzle's migrator alone fails then). A role of the server's own gets its privileges.
 */
export async function migrateDatabase({ ownerUrl, serverUrl = ownerUrl, makesRole = false }: Migrated): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await refuseOldServer(sql);
    await sql`select pg_advisory_lock(${migrationLock}::bigint)`;
    const migrationsFolder = projectFile("db/migrations");
    await requireKnownMigrations(sql, { migrationsFolder });
    await migrate(drizzle(sql), { migrationsFolder });
    const isSeparate = serverUrl !== ownerUrl;
    await makeJobTables(ownerUrl, { sql, areCurrent: !isSeparate });
    if (isSeparate) await grantServerRole(sql, { ownerUrl, serverUrl, makesRole });
  } finally {
    // Ends the session, and with it the lock.
    await sql.end({ timeout: 5 });
  }
}

/**
 * The tables of graphile-worker, so that jobs can be queued before any worker ran. A worker brings them up to date itself, when it
 * has the owner's role.
 */
async function makeJobTables(url: string, { sql, areCurrent }: { sql: Sql; areCurrent: boolean }): Promise<void> {
  const [known] = z
    .array(z.object({ there: z.boolean() }))
    .parse(await sql`select to_regclass('graphile_worker._private_jobs') is not null as there`);
  if (known?.there && areCurrent) return;
  const { Logger, runMigrations } = await import("graphile-worker");
  await runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) });
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const version = await serverVersion(sql);
  if (version < oldestMajor * 10_000) {
    throw new StartError(
      `DATABASE_URL: PostgreSQL ${Math.floor(version / 10_000)} is too old, version ${oldestMajor} or later is needed`,
    );
  }
}

async function serverVersion(sql: Sql): Promise<number> {
  try {
    const [row] = z
      .array(z.object({ version: z.number() }))
      .parse(await sql`select current_setting('server_version_num')::int as version`);
    return row?.version ?? 0;
  } catch (error) {
    throw new StartError(`DATABASE_URL: the database does not answer (${errorCode(error) ?? "unknown error"})`);
  }
}
