import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { ingestTimeoutMs } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { createMonthPartitions } from "#app/domain/months/create-month-partitions.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { clientOf } from "#tests/api/api.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { useDistributedWorld } from "./distributed-world.ts";

describe("where facts are distributed and workers accept connections without responding", () => {
  const { db, world, id, workers, report, factOf, readAll, awaitStatement } = useDistributedWorld();
  const read = async () => [
    await readAll("northwind"),
    await readAll("harbor"),
    await getCampaignDelivery(world().northwind, id()),
  ];
  const unavailable = [503, "unavailable"];

  async function timed<T>(run: () => Promise<T>): Promise<{ result: T; ms: number }> {
    const begun = performance.now();
    const result = await run();
    return { result, ms: performance.now() - begun };
  }
  const rejected = async (impressions: number) => {
    const { result, ms } = await timed(() => report(impressions));
    expect([result.status, result.error?.code]).toEqual(unavailable);
    return ms;
  };
  /** Pauses or resumes the campaign through the API. */
  const change = async (action: "pause" | "play") =>
    (await clientOf(demoUserId("northwind")))(`POST /api/campaigns/{id}/${action}`, { params: { id: id() } });

  test("reports get 503 in seconds, figures are read and campaigns changed as before, and all works when they respond", async () => {
    // Each connection to the coordinator has sent reports.
    await Promise.all(Array.from({ length: 20 }, (_, index) => report(1_500 + index)));
    expect((await report(1_600)).status).toBe(200);
    const before = await read();
    workers().hang();
    const reports = Promise.all(Array.from({ length: 20 }, (_, index) => rejected(1_700 + index)));
    const reading = await timed(read);
    expect(reading.result).toEqual(before);
    expect(Math.max(...(await reports))).toBeLessThan(8_000);
    // Now one report at a time waits for a worker, and the others do not.
    const ms = await Promise.all(Array.from({ length: 20 }, (_, index) => rejected(1_800 + index)));
    expect(ms.filter((one) => one > 2_000).length).toBeLessThanOrEqual(1);
    expect((await change("pause")).status).toBe(200);
    expect((await change("play")).status).toBe(200);
    const { ms: starting } = await timed(() => migrateDatabase({ ownerUrl: db.ownerUrl(), serverUrl: db.url() }));
    expect(starting).toBeLessThan(10_000);

    workers().restore();
    await expect.poll(async () => (await report(1_900)).status, { timeout: 10_000 }).toBe(200);
    expect(await factOf()).toMatchObject({ impressions: 1_900 });
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  test("the job of the next months fails, and creates them when they respond", async () => {
    const job = { ...world().job, clock: () => new Date() };
    const [last] = await db
      .owner()
      .execute(sql`select max(relname) as name from pg_class where relname ~ '^deliveries_\\d{4}_\\d\\d$'`);
    const name = String(last?.name);
    await db.owner().execute(sql.raw(`drop table ${name}, ${name.replace("deliveries", "delivery_revisions")}`));
    workers().hang();
    const { ms } = await timed(() => expect(createMonthPartitions(job)).rejects.toThrow());
    expect(ms).toBeLessThan(8_000);
    workers().restore();
    expect(await createMonthPartitions(job)).toBe(2);
  });

  test(
    "a report under way gets 503 by its deadline, what needs its campaign in seconds, and both work when they respond",
    async () => {
      await expect.poll(async () => (await report(2_000)).status, { timeout: 10_000 }).toBe(200);
      const before = await readAll("northwind");
      workers().delay(200);
      const begun = performance.now();
      const reporting = rejected(3_000);
      await awaitStatement("update deliveries ");
      workers().hang();
      const { result, ms } = await timed(() => change("pause"));
      expect([result.status, result.error?.code]).toEqual(unavailable);
      expect(ms).toBeLessThan(6_000);
      expect(await readAll("northwind")).toEqual(before);
      await rejected(4_000);
      expect(await reporting).toBeLessThan(ingestTimeoutMs + 5_000);
      expect(performance.now() - begun).toBeGreaterThan(30_000);
      expect(await readAll("northwind")).toEqual(before);

      workers().restore();
      await expect.poll(async () => (await change("pause")).status, { timeout: 10_000 }).toBe(200);
      expect((await change("play")).status).toBe(200);
      await expect.poll(async () => (await report(5_000)).status, { timeout: 10_000 }).toBe(200);
      expect(await factOf()).toMatchObject({ impressions: 5_000 });
      expect(await findBrokenInvariants(db.owner())).toEqual({});
    },
    ingestTimeoutMs + 60_000,
  );
});
