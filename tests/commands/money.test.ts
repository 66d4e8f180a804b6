import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld } from "#tests/support/world.ts";
import { runCommand } from "./run-command.ts";

const db = useDatabase();

const run = (command: string, ...args: string[]) => runCommand(db.url(), command, ...args);

test("settle settles what is due, and ledger:check says whether the books add up", async () => {
  const world = await makeWorld(db());
  world.setNow("2020-01-01T12:00:00Z");
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
  expect(await run("settle")).toBe("1 line item settled\n");
  expect(await run("settle", "2001-01-01")).toBe("0 line items settled\n");
  expect(await run("settle", "yesterday")).toBe("1: Usage: npm run settle [-- YYYY-MM-DD]\n");
  expect(await run("check-ledger")).toBe("The ledger adds up\n");
  await db().execute(sql`alter table transactions disable trigger all`);
  await db().execute(sql`update transactions set amount_cents = amount_cents + 1`);
  expect(await run("check-ledger")).toMatch(
    /^1: an advertiser's transactions are not what the ledger took: [0-9a-f-]{36}\n$/,
  );
});
