import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });
const broken = () =>
  findBrokenInvariants(db(), { only: (rule) => rule.startsWith("an account's list of what delivered") });

/** What a server of any version writes when line items deliver in a month for the first time. */
const deliverIn = (month: string) =>
  db.owner().execute(sql`
    insert into line_item_months (line_item_id, month, impressions, clicks, conversions, spend_micros, revenue_micros)
    select id, ${month}::date, 1, 0, 0, 0, 0 from line_items order by id
    on conflict (line_item_id, month) do update set impressions = line_item_months.impressions + 1`);

test("the migration lists what delivered in older months, while reports add others, and finds nothing new afterwards", async () => {
  const read = async () => [...(await db().execute(sql`select * from account_line_item_months order by 1, 2, 3`))];
  const kept = await read();
  expect(kept.length).toBeGreaterThan(5);

  await db().execute(sql`truncate account_line_item_months`);
  expect(Object.keys(await broken())).toHaveLength(1);
  await db().execute(sql`call fill_account_line_item_months()`);
  expect(await read()).toEqual(kept);

  await db().execute(sql`truncate account_line_item_months`);
  const delivering = async (year: number) => {
    for (let month = 1; month <= 9; month += 1) await deliverIn(`${year}-0${month}-01`);
  };
  await Promise.all([delivering(2024), delivering(2025), db().execute(sql`call fill_account_line_item_months()`)]);
  expect(await broken()).toEqual({});
  const complete = await read();
  expect(complete.length).toBeGreaterThan(kept.length);
  await db().execute(sql`call fill_account_line_item_months()`);
  expect(await read()).toEqual(complete);
});
