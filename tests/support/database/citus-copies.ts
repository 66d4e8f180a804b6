import { randomUUID } from "node:crypto";
import { z } from "zod";
import { distributeFacts } from "#db/distribution/distribute-facts.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { asAdmin, serverUrl } from "./database-copies.ts";

const nodes = z.array(z.object({ host: z.string(), port: z.number() }));

/**
 * Creates a test's own database on a coordinator and its workers, migrated and with facts distributed. `url` is a superuser's,
 * of a database on the coordinator that has the extension citus and its workers. Returns the owner's URL.
 */
export async function createCitusCopy(url: string): Promise<string> {
  const name = `endcap_test_${randomUUID().replaceAll("-", "")}`;
  const workers = await workersOf(url);
  const own = placeOf(url);
  for (const node of [own, ...workers]) {
    await asAdmin(urlOf(url, node), (sql) => sql`create database ${sql(name)}`);
    await asAdmin(urlOf(url, node, name), (sql) => sql`create extension citus`);
  }
  const ownerUrl = urlOf(url, own, name);
  await asAdmin(ownerUrl, async (sql) => {
    await sql`select citus_set_coordinator_host(${own.host}, ${own.port})`;
    for (const { host, port } of workers) await sql`select citus_add_node(${host}, ${port})`;
  });
  await migrateDatabase({ ownerUrl, serverUrl: serverUrl(ownerUrl), makesRole: true });
  await distributeFacts(ownerUrl, { isDryRun: false, print: () => undefined });
  return ownerUrl;
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
