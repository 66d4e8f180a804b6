import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { z } from "zod";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { lostNode } from "./distribution/lost-node.ts";
import { connect } from "./driver.server.ts";
import { type DatabaseRoles, grantServerRole } from "./grant-server-role.server.ts";
import {
  hasMigrations,
  isOfNewerVersion,
  migrationsFolder,
  requireKnownMigrations,
} from "./migration-history.server.ts";
import { runMigrations } from "./run-migrations.server.ts";
import { openWorkerPool } from "./worker-pool.server.ts";

const minMajor = 15;
/** An arbitrary number that no other code locks in this database. */
const migrationLock = 4_206_660_815;

type Migrated = Pick<DatabaseRoles, "ownerUrl"> & Partial<DatabaseRoles>;

/**
 * Migrates the database. Several processes may call this concurrently: an advisory lock on a separate connection
 * serializes them. A separate server role gets its privileges.
 */
export async function migrateDatabase({ ownerUrl, serverUrl = ownerUrl, makesRole = false }: Migrated): Promise<void> {
  const sql = connect(ownerUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await rejectOldServer(sql);
    await lockMigrations(sql);
    await requireKnownMigrations(sql);
    await runMigrations(sql, { migrationsFolder });
    await migrateJobTables(ownerUrl);
    if (serverUrl !== ownerUrl) {
      await grantServerRole(sql, { serverUrl, makesRole, keepsOthers: await isOfNewerVersion(sql) });
    }
  } catch (error) {
    const node = lostNode(error);
    if (node) throw new StartupError(`The database cannot be migrated without all of its nodes: ${node}`);
    throw isDenied(error) ? missingPrivilege(ownerUrl, error) : error;
  } finally {
    // Ends the session and thereby releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/** Whether any version has migrated the database. Changes nothing. */
export async function isMigrated({ ownerUrl }: Pick<DatabaseRoles, "ownerUrl">): Promise<boolean> {
  const sql = connect(ownerUrl, { max: 1, connect_timeout: 10 });
  try {
    return await hasMigrations(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const lockRetryMs = 100;
/** How long a start waits for its turn before it says what it waits for, in milliseconds. */
const silentWaitMs = 5_000;

/**
 * Waits for its turn without a statement that waits: that would be a transaction, for whose end an index that is built
 * concurrently by the process before would wait. The session of a machine that was lost may hold the lock for hours.
 */
async function lockMigrations(sql: Sql): Promise<void> {
  const sayAt = performance.now() + silentWaitMs;
  for (let hasSaid = false; ; await sleep(lockRetryMs)) {
    const [row] = await sql`select pg_try_advisory_lock(${migrationLock}::bigint) as locked`;
    if (row?.locked === true) return;
    if (hasSaid || performance.now() < sayAt) continue;
    hasSaid = true;
    console.warn(`Waiting for another process that migrates the database (session ${await holderOfLock(sql)})`);
  }
}

/** Returns the process id of the session that migrates; undefined when it has just ended. */
async function holderOfLock(sql: Sql): Promise<number | undefined> {
  const rows = await sql`
    select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and (classid::bigint << 32) + objid::bigint = ${migrationLock}::bigint
      and database = (select oid from pg_database where datname = current_database())`;
  return z.array(z.object({ pid: z.number() })).parse(rows)[0]?.pid;
}

/** PostgreSQL's code for a missing privilege, also of the error that drizzle wraps. */
function isDenied(error: unknown): boolean {
  return errorCode(error) === "42501" || (error instanceof Error && errorCode(error.cause) === "42501");
}

function missingPrivilege(ownerUrl: string, error: unknown): StartupError {
  const { username, pathname } = new URL(ownerUrl);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : "missing privilege";
  return new StartupError(
    `DATABASE_OWNER_URL or DATABASE_URL: the role ${decodeURIComponent(username)} cannot migrate the database ${pathname.slice(1)} (${reason}). Make it the database's owner, or grant it CREATE on the database and on the schema public.`,
  );
}

/**
 * Creates or migrates the tables of graphile-worker, so that jobs can be queued before a worker has run. It may take
 * any time here; a worker's own connections are ended when they do not respond for a while.
 */
async function migrateJobTables(url: string): Promise<void> {
  const { Logger, runMigrations: runJobMigrations } = await import("graphile-worker");
  const { pool: pgPool } = await openWorkerPool(url, { max: 2 });
  try {
    await runJobMigrations({ pgPool, logger: new Logger(() => () => undefined) });
  } finally {
    await pgPool.end();
  }
}

async function rejectOldServer(sql: Sql): Promise<void> {
  const version = await serverVersion(sql);
  if (version < minMajor * 10_000) {
    throw new StartupError(
      `DATABASE_URL: PostgreSQL ${Math.floor(version / 10_000)} is not supported. Use version ${minMajor} or later.`,
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
    throw new StartupError(`DATABASE_URL: the database is not responding (${errorCode(error) ?? "unknown error"})`);
  }
}
