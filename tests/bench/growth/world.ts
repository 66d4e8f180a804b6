import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { newId, type ProductId } from "#app/domain/ids.ts";
import { closeDatabase, type Database, openDatabase, openSecondPool, withDeadline } from "#db/client.server.ts";
import { postgres } from "#db/driver.server.ts";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { products } from "#db/schema/index.ts";
import { jobs } from "#server/jobs/jobs.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { makeRouteVisits } from "#tests/routes/route-visits.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { asAdmin, createDatabaseCopy, createTemplateDatabase } from "#tests/support/database/database-copies.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { pinTo } from "../support/bench-world.ts";
import { secondsOf } from "../support/pairs.ts";
import { copyCampaigns, createModels, deliverAndSettle, finishSending, type WriteRates } from "./history.ts";
import { createTargets, pagesOf, type Target } from "./targets.ts";

/** The same product with another number of campaigns. */
export type Side = {
  campaigns: number;
  db: Database;
  sql: Sql;
  server: AppServer;
  writes: WriteRates;
};

export type GrowthWorld = {
  small: Side;
  large: Side;
  targets: Target[];
  /** The headers that say who sends a request, by caller. */
  headers: Record<Target["caller"], Record<string, string>>;
  stop: () => Promise<void>;
};

/**
 * Two databases of one PostgreSQL, which differ only in the number of campaigns of one advertiser and one publisher,
 * each with a server of its own. Nothing gathers statistics.
 */
export async function startGrowthWorld(options: {
  campaigns: { small: number; large: number };
  times: number;
}): Promise<GrowthWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), "endcap-growth-"));
  const ends: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    return { ...(await fillWorld({ ...options, dataDir, ends })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds to `ends` what stops or removes each thing that it starts, so that a fill that fails leaves nothing behind. */
async function fillWorld({
  campaigns,
  times,
  dataDir,
  ends,
}: {
  campaigns: { small: number; large: number };
  times: number;
  dataDir: string;
  ends: (() => unknown)[];
}): Promise<Omit<GrowthWorld, "stop">> {
  const cluster = await startEmbeddedDatabase({ dataDir });
  ends.push(cluster.stop);
  await asAdmin(cluster.url, async (sql) => {
    await sql`alter system set autovacuum = off`;
    await sql`select pg_reload_conf()`;
  });
  await createTemplateDatabase(cluster.url);
  progress("the cluster runs");
  const { url, models, audienceId, targets, headers } = await prepare(cluster.url, times);
  progress(`${targets.length} screens, forms and calls have their rows`);
  const template = new URL(url).pathname.slice(1);
  const open = async (count: number, openPool: (url: string) => Database): Promise<Side> => {
    const ownUrl = await createDatabaseCopy(cluster.url, { template });
    const sql = postgres(ownUrl, { max: 2, onnotice: () => undefined });
    ends.push(() => sql.end());
    const db = openPool(ownUrl);
    await copyCampaigns(sql, { models, count });
    progress(`${count} campaigns are there`);
    const writes = await deliverAndSettle(jobCtx(db, "settle_delivery"), { sql, audienceId });
    await sql`drop table growth_clones`;
    progress("their delivery is settled");
    await runJobs(db);
    progress("no job has anything left to do");
    await sql`checkpoint`;
    const server = await startAppServer({
      databaseUrl: ownUrl,
      environment: { RATE_LIMITS: "off", LOG_LEVEL: "warn", WORKER: "off" },
    });
    ends.push(server.stop);
    pinTo(0, server.serverPid());
    return { campaigns: count, db, sql, server, writes };
  };
  const small = await open(campaigns.small, (own) => {
    ends.push(closeDatabase);
    return openDatabase({ url: own, max: 4 });
  });
  const large = await open(campaigns.large, (own) => {
    const pool = openSecondPool({ url: own, max: 4 });
    ends.push(pool.close);
    return pool.database({ job: "growth" });
  });
  return { small, large, targets, headers };
}

/** Prints what is done, and when: a run takes minutes. */
export function progress(done: string): void {
  console.info(`${Math.round(process.uptime())} s: ${done}`);
}

export function jobCtx(db: Database, name: string): Ctx<JobActor> {
  const report = (...problem: unknown[]) => console.error(name, ...problem);
  return { db, clock: () => new Date(), entrypoint: "job", report, actor: { kind: "job", name } };
}

/**
 * Runs every job until none has anything left to do, as a worker has long done with a history. Prints those that took
 * more than five seconds.
 */
async function runJobs(db: Database): Promise<void> {
  for (const job of jobs) {
    let done = 0;
    const seconds = await secondsOf(async () => {
      for (let time = 0; time < 500; time += 1) {
        const count = await job.run(withDeadline(jobCtx(db, job.name), 600_000));
        done += count;
        if (count === 0) break;
      }
    });
    if (seconds > 5) progress(`${job.name} did ${done} in ${seconds.toFixed(0)} s`);
  }
}

/** A database with the rows that every screen and call needs, without a history. No connection to it stays open. */
async function prepare(clusterUrl: string, times: number) {
  const url = await createDatabaseCopy(clusterUrl);
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const db = openDatabase({ url });
  try {
    const visits = await makeRouteVisits(db);
    const { world } = visits;
    const audienceId = world.audience("hikers");
    const productIds = await insertProducts(db, { accountId: world.accountId("harbor"), count: times * 200 });
    const targets = await createTargets(visits, { times, productIds, audienceId });
    const shown = {
      creative_ids: [await insertCreative(db, world.accountId("northwind"))],
      selected_products: [world.product("NW-PK-040"), world.product("NW-PK-022")],
    };
    const models = await createModels(world, shown);
    targets.push(...pagesOf({ creatives: shown.creative_ids, products: shown.selected_products }, times));
    await runJobs(db);
    await finishSending(sql);
    await sql`update channel_collections set collected_until = '2999-01-01'`;
    const operator = (await createApiKey(asOperator(), { name: "growth" })).secret;
    const headers = {
      northwind: { Cookie: await world.cookieOf("northwind") },
      harbor: { Cookie: await world.cookieOf("harbor") },
      operator: { Authorization: `Bearer ${operator}` },
    };
    return { url, models, audienceId, targets, headers };
  } finally {
    await sql.end();
    await closeDatabase();
  }
}

async function insertProducts(
  db: Database,
  { accountId, count }: { accountId: (typeof products.$inferInsert)["accountId"]; count: number },
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: newId<ProductId>(),
    accountId,
    sku: `P-${at}`,
    name: `Pot ${at}`,
    category: "Tea",
    priceCents: 1_250,
    createdAt: new Date(),
    updatedAt: new Date(),
  }));
  for (let from = 0; from < rows.length; from += 1_000)
    await db.insert(products).values(rows.slice(from, from + 1_000));
  return rows.map(({ id }) => id);
}
