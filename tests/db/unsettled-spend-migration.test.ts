import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });

test("the migration sums what is spent and not settled, less what is settled and no longer spent", async () => {
  await db().execute(sql`
    update line_items set spend_micros = greatest(0, spend_micros + case when right(id::text, 1) < '8' then 70000 else -70000 end)`);
  const read = async () => [
    ...(await db().execute(sql`select line_item_id as id, cents::text from unsettled_line_items order by 1`)),
    ...(await db().execute(
      sql`select advertiser_id as id, cents::text from unsettled_spend where cents <> 0 order by 1`,
    )),
  ];
  const kept = await read();
  expect(kept.length).toBeGreaterThan(5);

  await db().execute(sql`truncate unsettled_line_items, unsettled_spend`);
  const rule = "unsettled spend differs from spend less settlements";
  expect(await findBrokenInvariants(db())).toHaveProperty([rule]);
  const statements = readFileSync("db/migrations/0029_unsettled_spend.sql", "utf8").split("--> statement-breakpoint");
  for (const statement of statements.slice(-2)) await db().execute(sql.raw(statement));
  expect(await read()).toEqual(kept);
  expect(await findBrokenInvariants(db())).not.toHaveProperty([rule]);
});
