import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { z } from "zod";
import { distributeFacts } from "#db/distribution/distribute-facts.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { asAdmin, serverUrl } from "./database-copies.ts";
import { migrateUntil } from "./former-database.ts";

const nodes = z.array(z.object({ host: z.string(), port: z.number() }));
const roles = ["endcap_owner", "endcap_server"] as const;
const password = "of-the-tests";

/**
 * How far a copy is prepared; `migrated later` has distributed facts since the first migration for which that can be
 * done today.
 */
export type CitusCopyState = "empty" | "migrated" | "distributed" | "migrated later";

/** The first migration after all that the statements that distribute facts use. */
const distributedBefore = 56;

/**
 * Creates a test's own database on a coordinator and its workers. Its owner is no superuser, as docs/operations.md
 * describes. `url` is a superuser's, of a database on the coordinator that has the extension citus and its workers.
 * Returns the owner's URL.
 */
export async function createCitusCopy(url: string, state: CitusCopyState = "distributed"): Promise<string> {
  const name = `endcap_test_${randomUUID().replaceAll("-", "")}`;
  const workers = await workersOf(url);
  const own = placeOf(url);
  await asAdmin(url, createRoles);
  for (const node of [own, ...workers]) {
    await asAdmin(urlOf(url, node), (sql) => sql`create database ${sql(name)} owner ${sql(roles[0])}`);
    await asAdmin(urlOf(url, node, name), (sql) => sql`create extension citus`);
  }
  await asAdmin(urlOf(url, own, name), async (sql) => {
    await sql`select citus_set_coordinator_host(${own.host}, ${own.port})`;
    for (const { host, port } of workers) await sql`select citus_add_node(${host}, ${port})`;
    for (const role of roles) await sql`insert into pg_dist_authinfo values (0, ${role}, ${`password=${password}`})`;
  });
  const ownerUrl = ownerUrlOf(urlOf(url, own, name));
  const migrate = () => migrateDatabase({ ownerUrl, serverUrl: serverUrl(ownerUrl) });
  const distribute = () => distributeFacts(ownerUrl, { isDryRun: false, print: () => undefined });
  if (state === "migrated later") {
    await asAdmin(ownerUrl, (sql) => migrateUntil(sql, distributedBefore));
    await distribute();
  }
  if (state !== "empty") await migrate();
  if (state === "distributed") await distribute();
  return ownerUrl;
}

/** Citus creates them on the workers as well. */
async function createRoles(sql: Sql): Promise<void> {
  for (const role of roles) {
    const known = await sql`select from pg_roles where rolname = ${role}`;
    if (known.length === 0) await sql.unsafe(`create role ${role}`);
    await sql.unsafe(`alter role ${role} login password '${password}'`);
  }
}

function ownerUrlOf(url: string): string {
  const own = new URL(url);
  [own.username, own.password] = [roles[0], password];
  return own.href;
}

/** Drops it on every node. */
export async function dropCitusCopy(ownerUrl: string, url: string): Promise<void> {
  const name = new URL(ownerUrl).pathname.slice(1);
  for (const node of [placeOf(url), ...(await workersOf(url))]) {
    await asAdmin(urlOf(url, node), (sql) => sql`drop database ${sql(name)} with (force)`);
  }
}

type Node = { host: string; port: number };

async function workersOf(url: string): Promise<Node[]> {
  return asAdmin(url, async (sql) =>
    nodes.parse(await sql`select node_name as host, node_port::int as port from citus_get_active_worker_nodes()`),
  );
}

function placeOf(url: string): Node {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 5432) };
}

function urlOf(url: string, { host, port }: Node, name?: string): string {
  const own = new URL(url);
  own.hostname = host;
  own.port = String(port);
  if (name) own.pathname = `/${name}`;
  return own.href;
}
