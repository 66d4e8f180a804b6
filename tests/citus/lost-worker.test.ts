import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { connect } from "#db/driver.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { citusUrl, useDistributedWorld } from "./distributed-world.ts";

describe("where facts are distributed", () => {
  const { db, world, id, admin, workers, report, factOf, readAll, awaitStatement } = useDistributedWorld();

  test("without a worker all figures are read as before, reports get 503, and both work when it is back", async () => {
    expect((await report(1_500)).status).toBe(200);
    const read = async () => [
      await readAll("northwind"),
      await readAll("harbor"),
      await getCampaignDelivery(world().northwind, id()),
    ];
    const before = await read();
    workers().lose();
    expect(await read()).toEqual(before);
    for (let count = 0; count < 3; count += 1) {
      const { status, error } = await report(1_600);
      expect([status, error?.code]).toEqual([503, "unavailable"]);
    }
    expect(await read()).toEqual(before);

    workers().restore();
    expect((await report(1_600)).status).toBe(200);
    expect(await factOf()).toMatchObject({ impressions: 1_600 });
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  test("a server starts without a worker, and while Citus has not told all nodes where one is", async () => {
    const start = () => migrateDatabase({ ownerUrl: db.ownerUrl(), serverUrl: db.url() });
    workers().lose();
    await start();
    await admin((sql) => sql`update pg_dist_node set metadatasynced = false where groupid > 0`);
    await start();
    workers().restore();
    await admin((sql) => sql`select start_metadata_sync_to_all_nodes()`);
    await start();
  });

  test("a report whose worker is lost while it commits gets 503, and changes nothing", async () => {
    expect((await report(1_700)).status).toBe(200);
    workers().delay(400);
    const reporting = report(1_800);
    await awaitStatement("commit");
    workers().lose();
    const { status, error } = await reporting;
    expect([status, error?.code]).toEqual([503, "unavailable"]);
    workers().restore();
    await admin((sql) => sql`select recover_prepared_transactions()`);
    expect(await factOf()).toMatchObject({ impressions: 1_700 });
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  test("a report that a lost worker has not confirmed is not lost, and later ones wait for it", async () => {
    expect((await report(2_000)).status).toBe(200);
    workers().delay(400);
    const reporting = report(3_000);
    await awaitPrepared();
    // The others have been asked to prepare by then, and no answer has arrived.
    await sleep(150);
    workers().loseAtNextRequest();
    expect((await reporting).status).toBe(200);
    workers().restore();

    // The worker still has the facts of before, by which this report would change nothing.
    expect(await factOf()).toMatchObject({ impressions: 2_000 });
    expect((await report(2_000)).error?.code).toBe("unavailable");
    expect((await report(4_000)).error?.code).toBe("unavailable");
    const parts = await getCampaignDelivery(world().northwind, id());
    expect(parts.days.map(({ impressions }) => impressions)).toEqual([3_000]);
    expect(parts.channels.map(({ impressions }) => impressions)).toEqual([3_000]);

    // Citus does so every minute.
    await admin((sql) => sql`select recover_prepared_transactions()`);
    expect(await factOf()).toMatchObject({ impressions: 3_000 });
    expect((await report(2_000)).status).toBe(200);
    expect(await factOf()).toMatchObject({ impressions: 2_000 });
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  /** Waits until a worker has prepared a transaction; the coordinator does not know yet. */
  async function awaitPrepared(): Promise<void> {
    const name = new URL(db.ownerUrl()).pathname.slice(1);
    const places = workers().places.map(({ host, port }) => {
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
