import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { migrateDatabase } from "#db/migrate.server.ts";

/** Makes the migrated database that the copies are made from. Nobody may stay connected to it. */
export async function makeTemplate(clusterUrl: string): Promise<void> {
  await asAdmin(clusterUrl, (sql) => sql`create database template`);
  await migrateDatabase(databaseUrl(clusterUrl, "template"));
}

/** A database of the test's own: migrated and empty, or wholly empty. */
export async function createCopy(clusterUrl: string, { migrated = true } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(
    clusterUrl,
    (sql) => sql`create database ${sql(name)} template ${sql(migrated ? "template" : "template0")}`,
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

async function asAdmin(url: string, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await run(sql);
  } finally {
    await sql.end();
  }
}
