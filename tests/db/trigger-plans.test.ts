import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld } from "#tests/support/world.ts";

const db = useDatabase({ role: "owner" });

/**
 * A function keeps the plans of its own statements for the connection. Planned for a single row, a join of what came
 * with what went compares each row with each other: 8,000 changed line items took 5.4 s instead of 0.3. What is
 * executed as text, in quotes, is planned each time.
 */
function keepsPlanOfJoin(source: string): boolean {
  return /\b(come|gone)\b[^;]*\bJOIN\s+(come|gone)\b/i.test(source.replace(/'(?:[^']|'')*'/g, "''"));
}

test("no trigger keeps the plan of a join of what came with what went", async () => {
  const functions = await queryRows(
    db(),
    z.object({ name: z.string(), source: z.string() }),
    sql`select proname as name, prosrc as source from pg_proc where prorettype = 'trigger'::regtype and prosrc ~* 'join (come|gone)'`,
  );
  expect(functions.map(({ name }) => name)).toContain("keep_delivery_revision");
  expect(functions.filter(({ source }) => keepsPlanOfJoin(source)).map(({ name }) => name)).toEqual([]);
});

test.each([
  ["SELECT array_agg(come.id) INTO ids FROM come JOIN gone USING (id)", true],
  ["PERFORM FROM gone LEFT JOIN come USING (id) LIMIT 1", true],
  ["EXECUTE 'SELECT count(*) FROM come JOIN gone USING (id) WHERE ''active'' IN (come.status)' INTO n", false],
  ["SELECT 1 FROM come; SELECT 2 FROM line_items JOIN gone USING (id)", false],
])("of the statement %j it is %s that the join's plan is kept", (source, isKept) => {
  expect(keepsPlanOfJoin(source)).toBe(isKept);
});

test("a connection keeps the plans of what pauses and spend of line items change", async () => {
  const world = await createWorld(db());
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  const plans = await db().transaction(async (tx) => {
    const item = sql`where campaign_id = ${id}`;
    await tx.execute(sql`update campaigns set name = name || '!' where id = ${id}`);
    await tx.execute(sql`update line_items set spend_micros = spend_micros + 20000 ${item}`);
    await tx.execute(sql`update line_items set advertiser_paused_at = now() ${item}`);
    return queryRows(
      tx,
      z.object({ text: z.string() }),
      // The plan for one set of values is gone when its statement ends.
      sql`select ident as text from pg_backend_memory_contexts where name = 'CachedPlan'`,
    );
  });
  for (const start of [
    "INSERT INTO campaign_counts",
    "SELECT array_agg(id) FROM (SELECT id FROM come WHERE status",
    "INSERT INTO line_item_counts",
    "NOT EXISTS (SELECT id, approved_version",
    "WITH fresh AS MATERIALIZED",
    "WITH changed AS MATERIALIZED",
  ])
    expect(
      plans.filter(({ text }) => text.replace(/ +/g, " ").startsWith(start)),
      start,
    ).not.toEqual([]);
});
