import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
});

/** Makes the planner believe that a page of the table has that many rows, as it does of a large table that was never analyzed. */
const believe = (tx: Database, table: string, rowsOfPage: number) =>
  tx.execute(
    sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', ${table}::text, 'relpages', 1, 'reltuples', ${rowsOfPage}::real)`,
  );

test("a wallet reads today's spend by the keys of its line items, whatever the planner knows", async () => {
  const scans = await db.owner().transaction(async (tx) => {
    await believe(tx, "line_items", 10_000);
    await believe(tx, "line_item_days", 1_000);
    const { reserved } = await getWallet({ ...world.northwind, db: tx });
    expect(reserved).toBeGreaterThan(0);
    const [read] = await queryRows(
      tx,
      z.object({ all: z.number(), by_key: z.number() }),
      sql`select seq_scan::int as all, idx_scan::int as by_key from pg_stat_xact_user_tables where relname = 'line_item_days'`,
    );
    return read;
  });
  expect(scans).toEqual({ all: 0, by_key: 1 });
});
