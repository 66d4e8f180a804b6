import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld } from "#tests/support/world.ts";
import { runCommand } from "./run-command.ts";

const db = useDatabase();

const run = (command: string, ...args: string[]) => runCommand(db.ownerUrl(), command, ...args);

test("settle settles all due days, and ledger:check says whether the books add up", async () => {
  const world = await createWorld(db());
  world.setNow("2020-01-01T12:00:00Z");
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
  expect(await run("settle")).toBe("1 line item settled\n");
  expect(await run("settle", "2001-01-01")).toBe("0 line items settled\n");
  expect(await run("settle", "yesterday")).toBe("1: Usage: npm run settle [-- YYYY-MM-DD]\n");
  expect(await run("check-ledger")).toBe("Ledger check passed\n");
  await db.owner().execute(sql`alter table transactions disable trigger all`);
  await db.owner().execute(sql`update transactions set amount_cents = amount_cents + 1`);
  expect(await run("check-ledger")).toMatch(
    /^1: advertiser transactions differ from the ledger: [0-9a-f-]{36}\nsettled spend of an advertiser is not the sum of its transactions: [0-9a-f-]{36}\n$/,
  );
});
