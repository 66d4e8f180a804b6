import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });
const broken = () => findBrokenInvariants(db(), { only: (rule) => rule.startsWith("day of revenue shares") });

/**
 * What a server of any version writes when it settles: a share of the same line item as the newest one, and a
 * deduction.
 */
const settle = (revision: number) =>
  db.owner().transaction(async (tx) => {
    await tx.execute(sql`select from ledger_accounts order by id for no key update`);
    await tx.execute(sql`
      insert into revenue_shares (id, publisher_id, line_item_id, revision, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), publisher_id, line_item_id, ${revision} + part, settled_through - part, cents * 10, cents * 7, cents * 3, ledger_transaction_id, now()
      from (select * from revenue_shares where revision is not null order by id desc limit 1) newest, (values (1, 9), (2, -1)) as parts (part, cents)`);
  });

test("the migration sums older revenue shares by day, while servers settle others, and finds nothing new afterwards", async () => {
  const read = async () => [...(await db().execute(sql`select * from revenue_share_days order by 1, 2`))];
  const kept = await read();
  expect(kept.length).toBeGreaterThan(5);

  await db().execute(sql`truncate revenue_share_days`);
  expect(Object.keys(await broken())).toHaveLength(1);
  await db().execute(sql`call fill_revenue_share_days()`);
  expect(await read()).toEqual(kept);

  await db().execute(sql`truncate revenue_share_days`);
  const settling = async (revision: number) => {
    for (let time = 0; time < 10; time += 1) await settle(revision + 2 * time);
  };
  await Promise.all([settling(1_000), settling(2_000), db().execute(sql`call fill_revenue_share_days()`)]);
  expect(await broken()).toEqual({});
  const complete = await read();
  await db().execute(sql`call fill_revenue_share_days()`);
  expect(await read()).toEqual(complete);
});
