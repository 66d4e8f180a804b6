import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });
const broken = () => findBrokenInvariants(db(), { only: (rule) => rule.startsWith("settled spend of an advertiser") });
const read = async () => [...(await db().execute(sql`select * from settled_spend order by 1`))];

/**
 * What a server of any version writes when it settles: a line of spend of each advertiser and a correction, beside a
 * transaction of another type. Without their ledger transactions, which do not matter here.
 */
const settle = () =>
  db.owner().transaction(async (tx) => {
    await tx.execute(sql`select from ledger_accounts order by id for no key update`);
    await tx.execute(sql`
      insert into transactions (id, account_id, type, status, description, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), account_id, part.type, part.status, 'Settled', part.cents, case part.status when 'succeeded' then posted.id end, now()
      from (select distinct account_id from transactions where type = 'campaign_spend') known
      cross join (values (1, 'campaign_spend', 'succeeded', 1003), (2, 'campaign_spend', 'succeeded', -4), (3, 'top_up', 'pending', 700)) part (place, type, status, cents)
      cross join lateral (select id from ledger_transactions posted
        where not exists (select from transactions other where other.ledger_transaction_id = posted.id and other.account_id = known.account_id)
        order by id offset part.place limit 1) posted`);
  });

test("the migration sums older spend, while servers settle more, and finds nothing new afterwards", async () => {
  const kept = await read();
  expect(kept.length).toBeGreaterThan(0);

  await db().execute(sql`truncate settled_spend`);
  expect(Object.keys(await broken())).toHaveLength(1);
  await db().execute(sql`call fill_settled_spend()`);
  expect(await read()).toEqual(kept);

  await db().execute(sql`truncate settled_spend`);
  const settling = async () => {
    for (let time = 0; time < 5; time += 1) await settle();
  };
  await Promise.all([settling(), settling(), db().execute(sql`call fill_settled_spend()`)]);
  expect(await broken()).toEqual({});
  const complete = await read();
  expect(complete).not.toEqual(kept);
  await db().execute(sql`call fill_settled_spend()`);
  expect(await read()).toEqual(complete);
});

test("spend that fails after all no longer counts, and counts again when it succeeds", async () => {
  const kept = await read();
  const one = sql`id = (select id from transactions where type = 'campaign_spend' order by id limit 1)`;
  const [before] = await db().execute(sql`select ledger_transaction_id as id from transactions where ${one}`);
  await db().execute(sql`update transactions set status = 'failed', ledger_transaction_id = null where ${one}`);
  expect(await read()).not.toEqual(kept);
  expect(await broken()).toEqual({});
  await db().execute(
    sql`update transactions set status = 'succeeded', ledger_transaction_id = ${before?.id} where ${one}`,
  );
  expect(await read()).toEqual(kept);
});
