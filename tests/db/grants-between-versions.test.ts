import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createFormerDatabase, type FormerDatabase } from "#tests/support/database/former-database.ts";

/** The first migration since which trigger functions that reach new tables run as the owner. */
const firstMigration = 44;

let former: FormerDatabase;
beforeAll(async () => {
  former = await createFormerDatabase(firstMigration);
  // The privileges on new tables follow after the last migration, which may take minutes.
  await former.migrate({ attempts: 1, pauseMs: 0 });
}, 120_000);
afterAll(() => former.drop());

/**
 * The trigger functions that run for a table that servers write, and reach one that servers have no privileges on yet.
 */
async function findDeniedTriggers() {
  const rows = await former.owner`
    select distinct own.proname as name, reached.relname as table
    from pg_trigger fired join pg_proc own on own.oid = fired.tgfoid
    join pg_class reached on reached.relnamespace = 'public'::regnamespace and reached.relkind in ('r', 'p', 'v') and not reached.relispartition
    where not fired.tgisinternal and not own.prosecdef and has_table_privilege('endcap_server', fired.tgrelid, 'insert, update, delete')
      and not has_table_privilege('endcap_server', reached.oid, 'select') and own.prosrc ~ ('\\m' || reached.relname || '\\M')
    order by 1, 2`;
  return z.array(z.object({ name: z.string(), table: z.string() })).parse(rows);
}

test("servers of a version before write as always between the migrations of an upgrade and its grants", async () => {
  expect(await findDeniedTriggers()).toEqual([]);
});

test("a trigger function that reaches a new table with the privileges of the writer is found", async () => {
  await former.owner.unsafe("alter function sum_settled_spend() security invoker");
  expect(await findDeniedTriggers()).toContainEqual({ name: "sum_settled_spend", table: "settled_spend" });
});
