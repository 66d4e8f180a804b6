import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });

test("the migration finds what was settled by month, also where a report waits for its settlement", async () => {
  const byMonth = async () => [
    ...(await db().execute(
      sql`select line_item_id, spend_by_month from line_item_settlements where spend_micros > 0 order by 1`,
    )),
  ];
  const before = await byMonth();
  expect(before.length).toBeGreaterThan(3);
  const backfill = readFileSync("db/migrations/0021_close_months.sql", "utf8").split("--> statement-breakpoint").at(-1);
  const run = async () => {
    await db().execute(sql`update line_item_settlements set spend_by_month = '{}'`);
    await db().execute(sql.raw(backfill ?? ""));
  };
  await run();
  expect(await byMonth()).toEqual(before);

  // What differs from the settled total counts in the month of the last settled day.
  await db().execute(sql`set session_replication_role = replica`);
  await db().execute(sql`update line_item_days set spend_micros = spend_micros + 7 where day < ${"2026-11-01"}`);
  await db().execute(sql`set session_replication_role = origin`);
  await run();
  const rule = "settled spend by month does not sum to the settled spend";
  expect(await findBrokenInvariants(db())).not.toHaveProperty([rule]);
});
