import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { type LedgerTransactionId, newId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });
const rules = /^(statement line differs|month of a ledger account)/;
const broken = () => findBrokenInvariants(db(), { only: (rule) => rules.test(rule) });

/** What a server of any version writes when it posts: a transaction with an entry on each advertiser's wallet. */
const post = () =>
  db.owner().transaction(async (tx) => {
    const id = newId<LedgerTransactionId>();
    const wallets = sql`(select id from ledger_accounts where kind = 'advertiser_wallet' order by id limit 3) wallet`;
    await tx.execute(sql`select from ledger_accounts order by id for no key update`);
    await tx.execute(sql`
      insert into ledger_transactions (id, event, event_key, legs_hash, posted_at) values (${id}::uuid, 'top_up', ${id}, repeat('0', 64), now())`);
    await tx.execute(sql`
      insert into ledger_entries (transaction_id, number, account_id, amount_cents)
      select ${id}::uuid, row_number() over (), id, -500 from ${wallets}
      union all select ${id}::uuid, 100, (select id from ledger_accounts where kind = 'cash'), 500 * (select count(*) from ${wallets})`);
  });

test("the migration writes the lines and months of older entries, while servers post others, and finds nothing new afterwards", async () => {
  const read = async () => [
    ...(await db().execute(sql`select * from statement_lines order by 1, 2, 3`)),
    ...(await db().execute(sql`select * from ledger_account_months order by 1, 2`)),
  ];
  const kept = await read();
  expect(kept.length).toBeGreaterThan(20);

  await db().execute(sql`truncate statement_lines, ledger_account_months`);
  expect(Object.keys(await broken())).toHaveLength(2);
  await db().execute(sql`call fill_statement_lines()`);
  expect(await read()).toEqual(kept);

  await db().execute(sql`truncate statement_lines, ledger_account_months`);
  const posting = async () => {
    for (let time = 0; time < 10; time += 1) await post();
  };
  await Promise.all([posting(), posting(), db().execute(sql`call fill_statement_lines()`)]);
  expect(await broken()).toEqual({});
  const complete = await read();
  expect(complete.length).toBeGreaterThan(kept.length);
  await db().execute(sql`call fill_statement_lines()`);
  expect(await read()).toEqual(complete);
});
