import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { postgres } from "#db/driver.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";

/** Creates the migrated database that the copies are made from. No connection to it may stay open. */
export async function createTemplateDatabase(clusterUrl: string): Promise<void> {
  await asAdmin(clusterUrl, (sql) => sql`create database template`);
  const ownerUrl = databaseUrl(clusterUrl, "template");
  await migrateDatabase({ ownerUrl, serverUrl: serverUrl(ownerUrl), makesRole: true });
}

/** Returns the URL of the same database for the server's role, which the test cluster has. */
export function serverUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = "endcap_server";
  url.password = "of-the-tests";
  return url.href;
}

/**
 * Disables durability of the cluster: it may lose acknowledged commits if the machine fails, which ends the test run
 * anyway, and commits take half the time. It also never vacuums, since its databases are gone within a minute. Tests of
 * crashes start their own cluster with PostgreSQL's defaults.
 */
export async function disableDurability(clusterUrl: string): Promise<void> {
  await asAdmin(clusterUrl, async (sql) => {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes", "autovacuum"]) {
      await sql.unsafe(`alter system set ${setting} = off`);
    }
    // A connection proves its password in a step instead of 4,096, each of which takes time on both sides.
    await sql`alter system set scram_iterations = 1`;
    await sql`set scram_iterations = 1`;
    const { username, password } = new URL(clusterUrl);
    await sql.unsafe(`alter role ${username} password '${decodeURIComponent(password)}'`);
    await sql`select pg_reload_conf()`;
  });
}

/** Creates a test's own database: migrated and empty, without any schema, or like another database of the cluster. */
export async function createDatabaseCopy(
  clusterUrl: string,
  { migrated = true, template }: { migrated?: boolean; template?: string } = {},
): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const source = template ?? (migrated ? "template" : "template0");
  const sql = keptConnection(clusterUrl);
  // Copied file by file: the default strategy, through the write-ahead log, takes four times as long.
  await sql`create database ${sql(name)} template ${sql(source)} strategy file_copy`;
  return databaseUrl(clusterUrl, name);
}

/** Makes a database a template under that name. No connection to it may stay open. */
export async function renameDatabase(url: string, name: string): Promise<void> {
  const database = new URL(url).pathname.slice(1);
  await asAdmin(databaseUrl(url, "postgres"), (sql) => sql`alter database ${sql(database)} rename to ${sql(name)}`);
}

export async function dropDatabaseCopy(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const sql = keptConnection(url);
  await sql`drop database if exists ${sql(name)} with (force)`;
}

/** By the URL of each cluster. */
const keptConnections = new Map<string, Sql>();

/**
 * Returns the connection on which this process creates and drops its copies. One for each statement would take more of
 * PostgreSQL's time than the copies. It ends when it is idle, so that the process can end.
 */
export function keptConnection(url: string): Sql {
  const adminUrl = databaseUrl(url, "postgres");
  const known = keptConnections.get(adminUrl);
  if (known) return known;
  const sql = postgres(adminUrl, { max: 1, fetch_types: false, idle_timeout: 30, onnotice: () => undefined });
  keptConnections.set(adminUrl, sql);
  return sql;
}

function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a connection of their own. */
export async function asAdmin<T>(url: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}
