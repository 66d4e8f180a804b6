import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#app/api/endpoints.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { connect } from "#db/driver.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import type { DemoTenant } from "#db/seed/demo-accounts.ts";
import { type ApiClient, operator, origin, send } from "#tests/api/api.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { startWorkerProxies, type WorkerProxies } from "./worker-proxies.ts";

const citusUrl = process.env.CITUS_URL ?? "";

describe("where facts are distributed", () => {
  const db = useDatabase();
  let world: World;
  let id: CampaignId;
  let admin: Sql;
  let workers: WorkerProxies;
  let operatorApi: ApiClient;

  beforeAll(async () => {
    world = await createWorld(db());
    world.setNow(new Date().toISOString());
    id = await world.aRunningCampaign({ audiences: ["hikers", "campers"], changes: { start_date: world.today() } });
    await world.deliver(id);
    const url = new URL(citusUrl);
    url.pathname = new URL(db.ownerUrl()).pathname;
    admin = connect(url.href, { max: 1, onnotice: () => undefined });
    workers = await startWorkerProxies(admin);
    operatorApi = await operator();
  });
  afterEach(() => workers.restore());
  afterAll(async () => {
    workers.restore();
    // A database with prepared transactions cannot be dropped.
    await admin`select recover_prepared_transactions()`;
    await admin.end();
    await workers.close();
  });

  const report = (impressions: number) =>
    operatorApi("POST /api/delivery-reports", {
      body: {
        rows: [
          {
            campaign_id: id,
            audience_id: world.audience("hikers"),
            channel: "dv360",
            date: world.today(),
            source: "test",
            impressions,
            clicks: 10,
            conversions: 1,
            spend: 4,
            revenue: 9,
          },
        ],
      },
    });
  const factOf = async () => {
    const [fact] = await db.owner().execute(sql`select impressions::int, revision from deliveries`);
    return fact;
  };

  /** Everything that can be read by a path without an id, and what shows a campaign's delivery. */
  async function readAll(who: DemoTenant) {
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
  }

  test("without a worker all figures are read as before, reports get 503, and both work when it is back", async () => {
    expect((await report(1_500)).status).toBe(200);
    const read = async () => [
      await readAll("northwind"),
      await readAll("harbor"),
      await getCampaignDelivery(world.northwind, id),
    ];
    const before = await read();
    workers.lose();
    expect(await read()).toEqual(before);
    for (let count = 0; count < 3; count += 1) {
      const { status, error } = await report(1_600);
      expect([status, error?.code]).toEqual([503, "unavailable"]);
    }
    expect(await read()).toEqual(before);

    workers.restore();
    expect((await report(1_600)).status).toBe(200);
    expect(await factOf()).toMatchObject({ impressions: 1_600 });
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  test("a server starts without a worker", async () => {
    workers.lose();
    await migrateDatabase({ ownerUrl: db.ownerUrl(), serverUrl: db.url() });
  });

  test("a report that a lost worker has not confirmed is not lost, and later ones wait for it", async () => {
    expect((await report(2_000)).status).toBe(200);
    workers.delay(400);
    const reporting = report(3_000);
    await awaitPrepared();
    workers.loseAtNextRequest();
    expect((await reporting).status).toBe(200);
    workers.restore();

    // The worker still has the facts of before, by which this report would change nothing.
    expect(await factOf()).toMatchObject({ impressions: 2_000 });
    expect((await report(2_000)).error?.code).toBe("unavailable");
    expect((await report(4_000)).error?.code).toBe("unavailable");
    const parts = await getCampaignDelivery(world.northwind, id);
    expect(parts.days.map(({ impressions }) => impressions)).toEqual([3_000]);
    expect(parts.channels.map(({ impressions }) => impressions)).toEqual([3_000]);

    // Citus does so every minute.
    await admin`select recover_prepared_transactions()`;
    expect(await factOf()).toMatchObject({ impressions: 3_000 });
    expect((await report(2_000)).status).toBe(200);
    expect(await factOf()).toMatchObject({ impressions: 2_000 });
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  /** Waits until a worker has prepared a transaction; the coordinator does not know yet. */
  async function awaitPrepared(): Promise<void> {
    const name = new URL(db.ownerUrl()).pathname.slice(1);
    const places = workers.places.map(({ host, port }) => {
      const url = new URL(citusUrl);
      [url.hostname, url.port] = [host, String(port)];
      return connect(url.href, { max: 1, onnotice: () => undefined });
    });
    try {
      for (let isFound = false; !isFound; ) {
        const found = await Promise.all(
          places.map((worker) => worker`select from pg_prepared_xacts where database = ${name}`),
        );
        isFound = found.some((rows) => rows.length > 0);
      }
    } finally {
      await Promise.all(places.map((worker) => worker.end()));
    }
  }
});
