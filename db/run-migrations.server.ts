import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";
import { z } from "zod";
import { StartupError } from "#app/startup-error.ts";
import { isAddedBeside, isHeldLock, type Retry, untilUnlocked } from "./until-unlocked.ts";

/**
 * The first line of a migration whose statements run one by one outside a transaction, such as CREATE INDEX
 * CONCURRENTLY.
 */
const concurrentMark = "-- outside a transaction";
/**
 * How long a statement waits for a lock, in milliseconds. Everything that needs a table waits behind a migration that
 * waits for it, so the migration gives way and tries again.
 */
const lockTimeoutMs = 3_000;
const defaultRetry: Retry = { attempts: 40, pauseMs: 2_000 };

/**
 * Runs the migrations of a folder that the database does not have, in order, and records them as drizzle's migrator
 * does. Consecutive migrations are one transaction, as there; those that are marked to run outside a transaction are
 * not, and are safe to repeat. Throws a StartupError when a table stays locked.
 */
export async function runMigrations(
  sql: Sql,
  { migrationsFolder, retry = defaultRetry }: { migrationsFolder: string; retry?: Retry },
): Promise<void> {
  // A distributed database asks all its nodes for either, also when it is there already.
  if (!(await hasHistory(sql))) await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const applied = z
    .array(z.object({ newest: z.coerce.number().nullable() }))
    .parse(await sql`select max(created_at) as newest from drizzle.__drizzle_migrations`);
  const newest = applied[0]?.newest ?? Number.NEGATIVE_INFINITY;
  const pending = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > newest);
  // Before anything is removed: an older version that starts meanwhile is refused.
  await recordNeededMigrations(sql, pending);
  try {
    await sql.unsafe(`set lock_timeout = ${lockTimeoutMs}`);
    for (const group of groupsOf(pending))
      await runUnlocked(() => (isConcurrent(group[0]) ? runOutside(sql, group, retry) : runInside(sql, group)), retry);
  } finally {
    await sql`reset lock_timeout`;
  }
}

async function hasHistory(sql: Sql): Promise<boolean> {
  const known = await sql`select from pg_namespace where nspname = 'drizzle'`;
  return known.length > 0;
}

const contractMark = /-- contract since (\d{4})\b/g;

/**
 * Records how many migrations a version has to know to serve the database: one that removes something names the
 * migration that replaced it. Stored as the comment of the schema `drizzle`.
 */
async function recordNeededMigrations(sql: Sql, pending: readonly MigrationMeta[]): Promise<void> {
  const replaced = pending.flatMap(({ sql: statements }) =>
    statements.flatMap((text) => [...text.matchAll(contractMark)].map(([, number]) => Number(number))),
  );
  const needed = Math.max(0, ...replaced.map((number) => number + 1));
  if (needed > (await readNeededMigrations(sql))) await sql.unsafe(`comment on schema drizzle is 'needs ${needed}'`);
}

/** Returns how many migrations a version has to know to serve the database; 0 when any version can. */
export async function readNeededMigrations(sql: Sql): Promise<number> {
  const rows = z
    .array(z.object({ comment: z.string().nullable() }))
    .parse(await sql`select obj_description(to_regnamespace('drizzle')::oid, 'pg_namespace') as comment`);
  return Number(/^needs (\d+)$/.exec(rows[0]?.comment ?? "")?.[1] ?? 0);
}

function isConcurrent(migration: MigrationMeta | undefined): boolean {
  return migration?.sql[0]?.trimStart().startsWith(concurrentMark) === true;
}

/** Splits the migrations into those that run together: one outside a transaction is alone. */
function groupsOf(migrations: readonly MigrationMeta[]): MigrationMeta[][] {
  const groups: MigrationMeta[][] = [];
  for (const migration of migrations) {
    const group = groups.at(-1);
    if (group && !isConcurrent(migration) && !isConcurrent(group[0])) group.push(migration);
    else groups.push([migration]);
  }
  return groups;
}

async function runInside(sql: Sql, migrations: readonly MigrationMeta[]): Promise<void> {
  await sql.begin(async (tx) => {
    for (const migration of migrations) {
      for (const statement of migration.sql) await tx.unsafe(statement);
      const { hash, folderMillis } = migration;
      await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    }
  });
}

/**
 * A procedure fills a table from another. A server that is two versions older may add the same row at that moment, as
 * it does not take the locks that keep the two apart since; the procedure then starts again.
 */
const callOfProcedure = /^(?:--.*\n|\s)*call\s/i;

async function runOutside(sql: Sql, migrations: readonly MigrationMeta[], retry: Retry): Promise<void> {
  for (const { sql: statements, hash, folderMillis } of migrations) {
    for (const statement of statements) {
      await dropInvalidIndex(sql, statement);
      const run = async () => {
        await sql.unsafe(statement);
      };
      if (callOfProcedure.test(statement)) await untilUnlocked(run, retry, isAddedBeside);
      else await run();
    }
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  }
}

/** An index that could not be built to its end stays as an invalid one, which IF NOT EXISTS would take for it. */
async function dropInvalidIndex(sql: Sql, statement: string): Promise<void> {
  const name = /create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?(\w+)"?/i.exec(statement)?.[1];
  if (!name) return;
  const invalid =
    await sql`select from pg_index where indexrelid = to_regclass(${`public.${name}`}) and not indisvalid`;
  if (invalid.length > 0) await sql.unsafe(`drop index concurrently "${name}"`);
}

/** Runs a step again while others hold its locks; fails with what to do about them. */
async function runUnlocked(step: () => Promise<void>, retry: Retry): Promise<void> {
  try {
    await untilUnlocked(step, retry);
  } catch (error) {
    if (!isHeldLock(error)) throw error;
    throw new StartupError(
      `The database cannot be migrated: a table stayed locked by another session for ${retry.attempts} attempts. End long transactions and start again.`,
    );
  }
}
