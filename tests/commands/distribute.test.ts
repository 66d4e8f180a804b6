import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import { moveCategorySums } from "#app/domain/delivery/move-category-sums.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { createMonthPartitions } from "#app/domain/months/create-month-partitions.server.ts";
import { distributionStatements } from "#db/distribution/distribution-statements.server.ts";
import { postgres } from "#db/driver.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { runCommand, runCommandIn } from "./run-command.ts";

const db = useDatabase();
const isCitus = process.env.CITUS_URL !== undefined;
/** Returns how the partitions of a month are called, a number of months from now. */
const suffixOf = (months: number) => {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  return first.toISOString().slice(0, 7).replace("-", "_");
};
let world: World;
let id: CampaignId;

beforeAll(async () => {
  world = await createWorld(db());
  id = await world.aRunningCampaign({ audiences: ["hikers", "campers"], changes: { start_date: world.today() } });
  await world.deliver(id);
});

test.skipIf(isCitus)(
  "distribute says what a database without the extension lacks, and prints its statements",
  async () => {
    expect(await runCommand(db.ownerUrl(), "distribute")).toMatch(
      /^1: The database has no extension citus\. .*citus_add_node/,
    );
    const printed = await runCommand(db.ownerUrl(), "distribute", "--dry-run");
    for (const one of distributionStatements) expect(printed).toContain(`${one};\n`);
    expect(await db().execute(sql`select to_regclass('delivery_additions') as made`)).toEqual([{ made: null }]);
  },
);

test.runIf(isCitus)("distribute does nothing the second time, and the next months get their partitions", async () => {
  expect(await runCommand(db.ownerUrl(), "distribute")).toBe("Facts are distributed already\n");
  await db.owner().execute(sql`drop table deliveries_2027_02, delivery_revisions_2027_02`);
  world.setNow("2026-11-21T12:00:00Z");
  expect(await createMonthPartitions(world.job)).toBeGreaterThanOrEqual(2);
  const [count] = await db.owner().execute(sql`
    select count(*)::int as parts from pg_dist_partition where logicalrelid::text in ('deliveries_2027_02', 'delivery_revisions_2027_02')`);
  expect(count).toEqual({ parts: 2 });
});

describe("with facts distributed", () => {
  /** Here the tables stay on one machine: what the triggers and the product do is the same. */
  beforeAll(async () => {
    if (isCitus) return;
    // Reports go on meanwhile: one that reads facts before is summed before, and one that waits for them after.
    let [isWriting, reports] = [true, 0];
    const writers = [world.audience("hikers"), world.audience("campers")].map(async (audienceId) => {
      for (; isWriting; reports += 1) await world.deliver(id, { audienceId, impressions: 2_000 + reports });
    });
    while (reports < 4) await sleep(5);
    await db.owner().transaction(async (tx) => {
      await tx.execute(sql`
        create function create_distributed_table(of text, by text, colocate_with text default '') returns void language sql as ''`);
      for (const statement of distributionStatements) await tx.execute(sql.raw(statement));
    });
    const reportsBefore = reports;
    while (reports < reportsBefore + 4) await sleep(5);
    isWriting = false;
    await Promise.all(writers);
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });

  test("new and restated facts are summed, kept and read as before", async () => {
    const yesterday = { day: addDays(world.today(), -1), channel: "trade_desk" as const };
    world.advanceDays(2);
    for (const impressions of [1_000, 3_000, 2_000]) {
      await world.deliver(id, { impressions, reach: 500 });
      await world.deliver(id, { ...yesterday, day: addDays(world.today(), -1), impressions: impressions * 2 });
    }
    // The job of versions with another category sums a line item's facts again.
    for (const category of ["Packs", ""]) {
      await db.owner().execute(sql`update line_item_categories set category = ${category}`);
      expect(await moveCategorySums(world.job)).toBe(1);
    }
    expect(await findBrokenInvariants(db.owner())).toEqual({});
    const [kept] = await db.owner().execute(sql`
      select (select count(*)::int from deliveries) as facts, (select sum(revision - 1)::int from deliveries) as restated,
        (select count(*)::int from delivery_revisions) as revisions,
        (select count(*)::int from delivery_additions) + (select count(*)::int from delivery_restatements) as waiting`);
    expect(kept).toMatchObject({ facts: isCitus ? 3 : 4, revisions: kept?.restated, waiting: 0 });
    const columns = sql.raw(
      "line_item_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reach, report_id",
    );
    const rowsOf = (table: string) =>
      db
        .owner()
        .execute(
          sql`select ${columns} from ${sql.raw(table)} order by line_item_id, day, audience_id, channel, source`,
        );
    expect(await rowsOf("line_item_audience_days")).toEqual(await rowsOf("deliveries"));
  });

  test.skipIf(isCitus)("the next months of what is not distributed have the keys of the months before", async () => {
    const keysOf = async (table: string, months: number) => {
      const suffix = suffixOf(months);
      const rows = await db.owner().execute(sql`
        select replace(pg_get_constraintdef(oid), ${suffix}, 'MONTH') as definition from pg_constraint
        where conrelid = to_regclass(${`${table}_${suffix}`}) order by 1`);
      return rows.map(({ definition }) => definition);
    };
    await db.owner().execute(sql`select create_month_partitions(now()::date + 150)`);
    for (const table of ["mails", "mail_feedback"]) {
      expect((await keysOf(table, 1)).length).toBeGreaterThan(3);
      expect(await keysOf(table, 4)).toEqual(await keysOf(table, 1));
    }
  });

  test.runIf(isCitus)("a backup is restored on one machine, and not where facts are distributed", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "endcap-distributed-"));
    const plainUrl = await createDatabaseCopy(inject("clusterUrl"));
    const plain = postgres(plainUrl, { max: 1 });
    onTestFinished(async () => {
      await plain.end();
      await dropDatabaseCopy(plainUrl);
      rmSync(dataDir, { recursive: true, force: true });
    });
    const file = join(dataDir, "backup.tar.gz");
    expect(await runCommandIn({ ownerUrl: db.ownerUrl(), dataDir }, "backup", file)).toMatch(/tables and \d+ files?/);
    const refused = await runCommandIn({ ownerUrl: db.ownerUrl(), dataDir }, "restore", file);
    expect(refused).toMatch(/^1: The database's facts are distributed/);
    expect(await runCommandIn({ ownerUrl: plainUrl, dataDir }, "restore", file)).toMatch(/tables and \d+ files?/);
    const [restored] = await plain`select count(*)::int as facts from line_item_audience_days`;
    const [own] = await db.owner().execute(sql`select count(*)::int as facts from deliveries`);
    expect(restored).toEqual(own);
  });
});
