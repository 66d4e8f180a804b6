import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll } from "vitest";
import { endpoints } from "#app/api/endpoints.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import type { DemoTenant } from "#db/seed/demo-accounts.ts";
import { type ApiClient, operator, origin, send } from "#tests/api/api.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { asAdmin } from "#tests/support/database/database-copies.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { startWorkerProxies, type WorkerProxies } from "./worker-proxies.ts";

/** The superuser's URL of a database on the coordinator. */
export const citusUrl = process.env.CITUS_URL ?? "";

/**
 * A database with distributed facts and a running campaign, whose workers can be lost. They are back after each test.
 * What it returns is good from the first `beforeAll` after it on.
 */
export function useDistributedWorld() {
  const db = useDatabase();
  let state: { world: World; id: CampaignId; workers: WorkerProxies; operatorApi: ApiClient } | undefined;

  beforeAll(async () => {
    const world = await createWorld(db());
    world.setNow(new Date().toISOString());
    const id = await world.aRunningCampaign({
      audiences: ["hikers", "campers"],
      changes: { start_date: world.today() },
    });
    await world.deliver(id);
    const workers = await admin(startWorkerProxies);
    state = { world, id, workers, operatorApi: await operator() };
  });
  afterEach(() => state?.workers.restore());
  afterAll(async () => {
    if (!state) return;
    state.workers.restore();
    // A database with prepared transactions cannot be dropped.
    await admin((sql) => sql`select recover_prepared_transactions()`);
    await state.workers.close();
  });

  /** Runs statements as a superuser, on a connection of their own: one to a worker would not outlive its loss. */
  function admin<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    const url = new URL(citusUrl);
    url.pathname = new URL(db.ownerUrl()).pathname;
    return asAdmin(url.href, run);
  }
  function opened() {
    if (!state) throw new Error("The world exists from beforeAll on");
    return state;
  }
  return {
    db,
    world: () => opened().world,
    id: () => opened().id,
    admin,
    workers: () => opened().workers,
    /** Sends a report of today through the API. */
    report(impressions: number) {
      const { world, id, operatorApi } = opened();
      const figures = { impressions, clicks: 10, conversions: 1, spend: 4, revenue: 9 };
      const place = { audience_id: world.audience("hikers"), channel: "dv360" as const, date: world.today() };
      return operatorApi("POST /api/delivery-reports", {
        body: { rows: [{ campaign_id: id, ...place, source: "test", ...figures }] },
      });
    },
    /** Waits until the coordinator runs a statement that begins so. */
    awaitStatement: (beginning: string) =>
      admin(async (sql) => {
        for (let isFound = false; !isFound; await sleep(5)) {
          const found = await sql`
            select from pg_stat_activity
            where datname = current_database() and state = 'active' and ltrim(query, ${" \n"}) like ${`${beginning}%`}`;
          isFound = found.length > 0;
        }
      }),
    /** Returns the fact of today as the workers have it. */
    async factOf() {
      const [fact] = await db.owner().execute(sql`select impressions::int, revision from deliveries`);
      return fact;
    },
    /** Reads everything that can be read by a path without an id, and what shows a campaign's delivery. */
    async readAll(who: DemoTenant) {
      const { world, id } = opened();
      const paths = Object.keys(endpoints)
        .filter((name) => /^GET [^{]*$/.test(name) && !/operator|oauth|logout/.test(name))
        .map((name) => name.slice(4));
      const more = ["audience", "campaign", "week"].map((group) => `/api/analytics?group=${group}&split=channel`);
      const headers = { Cookie: await world.cookieOf(who) };
      const responses: Record<string, unknown> = {};
      for (const path of [...paths, ...more, `/api/campaigns/${id}`]) {
        const response = await send(new Request(new URL(path, origin), { headers }));
        responses[path] = [response.status, await response.text()];
      }
      return responses;
    },
  };
}
