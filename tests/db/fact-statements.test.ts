import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { withQueryLabel } from "#db/client.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { checkFactStatements, findUnkeyedFacts } from "#tests/support/database/fact-statements.ts";

const db = useDatabase();

test.each([
  "select sum(fact.clicks) from deliveries fact where fact.line_item_id = any($1::uuid[]) and fact.day = $2",
  "select 1 from deliveries where line_item_id = $1 for update",
  `select 1 from "deliveries" join audiences on audiences.id = audience_id where "deliveries"."line_item_id" in ($1, $2)`,
  "select 1 from unnest($1::uuid[], $2::date[]) as place (line_item_id, day) join deliveries fact using (line_item_id, day)",
  "update deliveries set clicks = fact.clicks from unnest($1::uuid[]) as fact (line_item_id) where deliveries.line_item_id = fact.line_item_id",
  "insert into deliveries (line_item_id, day) select line_item_id, day from unnest($1::uuid[], $2::date[]) as fact (line_item_id, day)",
  "select exists (select from deliveries fact where fact.line_item_id = $1) from line_items item",
  "insert into mails (id) select fact.line_item_id from deliveries fact where fact.line_item_id = $1",
  "select deliveries from webhooks",
])("names whose facts it needs: %s", async (text) => {
  expect(await findUnkeyedFacts(text)).toEqual([]);
});

test.each([
  "select sum(clicks) from deliveries",
  "select sum(clicks) from deliveries where line_item_id = $1 or day = $2",
  "select 1 from deliveries where line_item_id <> $1",
  "select 1 from deliveries fact where fact.line_item_id in (select id from line_items where campaign_id = $1)",
  "select 1 from line_items item join deliveries fact on fact.line_item_id = item.id where item.id = $1",
  "select 1 from line_items item where exists (select from deliveries fact where fact.line_item_id = item.id)",
  "select 1 from line_items item cross join lateral (select 1 from deliveries fact where fact.line_item_id = item.id) one",
  "select 1 from unnest($1::uuid[]) as place (line_item_id) join line_item_days known using (line_item_id) join deliveries fact using (line_item_id)",
  "select 1 from unnest($1::uuid[]) as place (line_item_id) left join deliveries fact on fact.line_item_id = $2",
  "with one as (select 1 from deliveries for update) select 1 from one",
  "update deliveries set clicks = 0 where day = $1",
  "delete from delivery_revisions where replaced_by = $1",
  "insert into deliveries select * from unnest($1::uuid[]) as fact (line_item_id)",
  "insert into mails (id) select fact.line_item_id from deliveries fact where fact.day = $1",
])("does not name whose facts it needs: %s", async (text) => {
  expect(await findUnkeyedFacts(text)).toHaveLength(1);
});

test("statements of requests and jobs are checked, and those that a test writes are not", async () => {
  const all = sql`select sum(clicks) from deliveries`;
  await db().execute(all);
  await checkFactStatements();
  await withQueryLabel(db(), { job: "sum" }).execute(all);
  await expect(checkFactStatements()).rejects.toThrow("No parameter says whose deliveries it needs");
  await checkFactStatements();
});
