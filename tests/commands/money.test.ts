import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld } from "#tests/support/world.ts";

const db = useDatabase();

/** Runs an operator's command of package.json on the test's database. */
async function run(command: string, ...args: string[]): Promise<string> {
  const file = resolve(import.meta.dirname, "../../commands", `${command}.ts`);
  const env = { ...process.env, DATABASE_URL: db.url(), SESSION_SECRET: "only-for-the-tests-only-for-the-tests" };
  return promisify(execFile)(process.execPath, ["--import", "tsx", file, ...args], { env }).then(
    ({ stdout }) => stdout,
    (error) => `${error.code}: ${error.stderr}`,
  );
}

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
