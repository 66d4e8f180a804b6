import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { checkLedgerDaily } from "#app/domain/billing/ledger/check-ledger-daily.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { isLockTimeout } from "#app/domain/transaction.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
  await world.deliver(await world.aRunningCampaign({ changes: { start_date: world.today() } }));
  world.setNow("2026-11-21T02:59:00Z");
  await settleDelivery(world.job);
});

test("the ledger is checked once a day from 03:00 UTC on, by one of the processes", async () => {
  expect(await checkLedgerDaily(world.job)).toBe(0);
  world.setNow("2026-11-21T03:00:00Z");
  const checks = await Promise.all([0, 1, 2].map(() => checkLedgerDaily(world.job)));
  expect(checks.sort()).toEqual([0, 0, 1]);
  world.setNow("2026-11-21T23:50:00Z");
  expect(await checkLedgerDaily(world.job)).toBe(0);
});

test("a process that stops leaves the day's check to the next one", async () => {
  world.setNow("2026-11-22T03:00:00Z");
  expect(await checkLedgerDaily({ ...world.job, stopping: AbortSignal.abort() })).toBe(0);
  expect(await checkLedgerDaily(world.job)).toBe(1);
});

test("a check that others block is repeated on the same day", async () => {
  world.setNow("2026-11-23T03:00:00Z");
  await db.owner().transaction(async (tx) => {
    await tx.execute(sql`lock table ledger_entries in access exclusive mode`);
    await expect(checkLedgerDaily(world.job)).rejects.toSatisfy(isLockTimeout);
  });
  expect(await checkLedgerDaily(world.job)).toBe(1);
});

test("a check that fails for another reason, such as a statement that takes too long, is not repeated on that day", async () => {
  world.setNow("2026-11-24T03:00:00Z");
  await db.owner().execute(sql`alter table revenue_share_days rename column refunded_cents to other_cents`);
  await expect(checkLedgerDaily(world.job)).rejects.toThrow();
  await db.owner().execute(sql`alter table revenue_share_days rename column other_cents to refunded_cents`);
  expect(await checkLedgerDaily(world.job)).toBe(0);
});

test("a ledger that does not add up fails the check with the rule and the rows, once", async () => {
  world.setNow("2026-11-25T03:00:00Z");
  await db.owner().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update revenue_share_days set unpaid_cents = unpaid_cents + 1`);
  });
  await expect(checkLedgerDaily(world.job)).rejects.toThrow(
    `day of revenue shares differs from the sum of its shares: ${world.accountId("harbor")} 2026-11-20`,
  );
  expect(await checkLedgerDaily(world.job)).toBe(0);
});
