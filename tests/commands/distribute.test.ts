import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { moveCategorySums } from "#app/domain/delivery/move-category-sums.server.ts";
import { type CampaignId, lowestIdAt } from "#app/domain/ids.ts";
import { createMonthPartitions } from "#app/domain/months/create-month-partitions.server.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { distributeTables } from "#db/distribution/distribute-facts.server.ts";
import { distributionStatements, preparingStatements } from "#db/distribution/distribution-statements.server.ts";
import { postgres } from "#db/driver.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { asAdmin, createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import distributeCommand from "../../commands/distribute.ts";
import { performCommand } from "./perform-command.ts";
import { runCommandIn } from "./run-command.ts";

const db = useDatabase({ onCitus: "migrated" });
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
    expect(await performCommand(db.ownerUrl(), distributeCommand)).toMatch(
      /^1: The database has no extension citus\. .*citus_add_node/,
    );
    const printed = await performCommand(db.ownerUrl(), distributeCommand, "--dry-run");
    for (const one of [...preparingStatements, ...distributionStatements]) expect(printed).toContain(`${one};\n`);
    expect(await db().execute(sql`select to_regclass('delivery_additions') as made`)).toEqual([{ made: null }]);
  },
);

describe("with facts distributed", () => {
  beforeAll(async () => {
    // Reports go on meanwhile: one that reads facts before is summed before, and one that waits for them after.
    let [isRunning, reports, pages] = [true, 0, 0];
    const accepted = new Map<string, number>();
    const writers = [world.audience("hikers"), world.audience("campers")].map(async (audienceId) => {
      for (; isRunning; reports += 1) {
        const impressions = 2_000 + reports;
        await untilUnlocked(() => world.deliver(id, { audienceId, impressions }));
        accepted.set(audienceId, impressions);
      }
    });
    const reader = (async () => {
      for (; isRunning; pages += 1) await untilUnlocked(() => getCampaignDelivery(world.northwind, id));
    })();
    const awaitMore = async () => {
      const [reportsBefore, pagesBefore] = [reports, pages];
      while (isRunning && (reports < reportsBefore + 4 || pages < pagesBefore + 2)) await sleep(5);
    };
    const all = Promise.all([...writers, reader]);
    const course = (async () => {
      await awaitMore();
      await distribute();
      await awaitMore();
    })();
    try {
      await Promise.race([course, all]);
    } finally {
      isRunning = false;
    }
    await all;
    expect(await findBrokenInvariants(db.owner())).toEqual({});
    const facts = await db
      .owner()
      .execute(sql`select audience_id, impressions::int from deliveries where day = ${world.today()}`);
    expect(new Map(facts.map((fact) => [fact.audience_id, fact.impressions]))).toEqual(accepted);
  });

  /** While rows are copied, what needs facts is answered with 503 and sent again. Any other error fails the test. */
  async function untilUnlocked(run: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await run();
        return;
      } catch (error) {
        if (sqlState(error) !== "55P03") throw error;
      }
    }
  }

  /** On plain PostgreSQL the tables stay on one machine: what the triggers and the product do is the same. */
  async function distribute(): Promise<void> {
    if (isCitus) {
      expect(await performCommand(db.ownerUrl(), distributeCommand)).toBe("Facts are distributed by line item\n");
      return;
    }
    await db.owner().execute(sql`
      create function create_distributed_table(of text, by text, colocate_with text default '') returns void language sql as ''`);
    await asAdmin(db.ownerUrl(), distributeTables);
  }

  test.runIf(isCitus)("distribute does nothing the second time, and the next months get their partitions", async () => {
    expect(await performCommand(db.ownerUrl(), distributeCommand)).toBe("Facts are distributed already\n");
    const month = suffixOf(3);
    await db.owner().execute(sql.raw(`drop table deliveries_${month}, delivery_revisions_${month}`));
    expect(await createMonthPartitions({ ...world.job, clock: () => new Date() })).toBe(2);
    const [count] = await db.owner().execute(sql`
      select count(*)::int as parts from pg_dist_partition where logicalrelid::text in (${`deliveries_${month}`}, ${`delivery_revisions_${month}`})`);
    expect(count).toEqual({ parts: 2 });
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
    expect(kept).toMatchObject({ facts: 4, revisions: kept?.restated, waiting: 0 });
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

  test.skipIf(isCitus)(
    "a month whose mails are in the default partition is left out, with what was reported about them",
    async () => {
      const late = lowestIdAt(Date.parse(`${suffixOf(7).replace("_", "-")}-15T00:00:00Z`));
      const copies = await db.owner().execute(sql`
      insert into mails select (jsonb_populate_record(mail, jsonb_build_object('id', ${late}::text))).*
      from mails mail limit 1 returning tableoid::regclass::text as name`);
      expect([...copies]).toEqual([{ name: "mails_default" }]);
      await db.owner().execute(sql`select create_month_partitions(now()::date + 300)`);
      const exist = async (months: number) => {
        const [found] = await db.owner().execute(sql`
        select to_regclass(${`mails_${suffixOf(months)}`}) is not null as mails, to_regclass(${`mail_feedback_${suffixOf(months)}`}) is not null as feedback`);
        return found;
      };
      expect(await exist(7)).toEqual({ mails: false, feedback: false });
      expect(await exist(8)).toEqual({ mails: true, feedback: true });
    },
  );

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
