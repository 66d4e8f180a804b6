import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { postgres } from "#db/driver.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";

/** Makes the migrated database that the copies are made from. Nobody may stay connected to it. */
export async function makeTemplate(clusterUrl: string): Promise<void> {
  await asAdmin(clusterUrl, (sql) => sql`create database template`);
  const ownerUrl = databaseUrl(clusterUrl, "template");
  await migrateDatabase({ ownerUrl, serverUrl: serverUrl(ownerUrl), makesRole: true });
}

/** The same database by the server's role, which the cluster of the tests has. */
export function serverUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = "endcap_server";
  url.password = "of-the-tests";
  return url.href;
}

/**
 * Lets the cluster lose what it acknowledged when the machine fails, which ends the run anyway: commits take half the time.
 * It cleans up after nobody, since its databases are gone within a minute. Tests of crashes start a cluster of their own, with PostgreSQL's defaults.
 */
export async function disableDurability(clusterUrl: string): Promise<void> {
  await asAdmin(clusterUrl, async (sql) => {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes", "autovacuum"]) {
      await sql.unsafe(`alter system set ${setting} = off`);
    }
    await sql`select pg_reload_conf()`;
  });
}

/** A database of the test's own: migrated and empty, or wholly empty. */
export async function createCopy(clusterUrl: string, { migrated = true } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(
    clusterUrl,
    // Copied file by file: through the log, which is the default, takes four times as long.
    (sql) => sql`create database ${sql(name)} template ${sql(migrated ? "template" : "template0")} strategy file_copy`,
  );
  return databaseUrl(clusterUrl, name);
}

export async function dropCopy(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin(databaseUrl(url, "postgres"), (sql) => sql`drop database if exists ${sql(name)} with (force)`);
}

function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin(url: string, run: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await run(sql);
  } finally {
    await sql.end();
  }
}
