import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addMonths, calendarMonthOf, firstInstantOf } from "#app/domain/calendar-month.ts";
import { asCents } from "#app/domain/money.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { invoices, payouts, planChanges, sandboxPayments, sandboxTransfers, topUps } from "#db/schema/index.ts";
import {
  bookedBalances,
  countViolations,
  expectedBalances,
  noViolations,
  updateSettledModel,
} from "#tests/domain/billing/money-books.ts";
import { applyEvent } from "#tests/domain/billing/money-events.ts";
import { cards, createMoneyWorld, firstDay, type MoneyWorld } from "#tests/domain/billing/money-world.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { useBundledScript } from "#tests/support/use-bundled-script.ts";

type Worker = ChildProcessByStdio<Writable, Readable, null> & { ended: Promise<unknown> };

const db = useDatabase();
const script = useBundledScript(resolve(import.meta.dirname, "money-worker.ts"));
const months = faultRuns({ small: 2, all: 30 });
const hour = 3_600_000;
let now = Date.parse(`${firstDay}T12:00:00Z`);
let moneyWorld: MoneyWorld;
let workers: Worker[] = [];
const clock = () => new Date(now);

beforeAll(async () => {
  moneyWorld = await createMoneyWorld(db(), db.owner());
  for (const actor of moneyWorld.publishers) {
    await setDefaultPaymentMethod(
      { db: db(), clock, entrypoint: "screen", report: () => undefined, actor },
      { id: methodOf(actor) },
    );
  }
  workers = await Promise.all([startWorker(), startWorker()]);
}, 60_000);
afterAll(async () => {
  await Promise.all(workers.map(stop));
});

const methodOf = ({ accountId }: { accountId: string }) =>
  moneyWorld.methods[`${accountId} ${cards[0]}`] ?? expect.fail("they have a card");

test(
  `for ${months} months two workers at once settle, renew, bill, pay out and finish everything, each once, also when one is killed`,
  async () => {
    for (let month = 1; month <= months; month += 1) {
      await spendSomething(month);
      await createUnfinishedTopUps(month);
      now += 24 * hour;
      await runJobs();
      now = firstInstantOf(addMonths(calendarMonthOf(clock()), 1)).getTime() + 2 * hour;
      if (month % 2 === 0) await workUntilKilled(workers[month % 4 === 0 ? 0 : 1] ?? expect.fail());
      await runJobs();
      // Payouts to two publishers, an invoice and a top-up of each of two advertisers, and plans from the second month
      // on.
      const [two, renewals] = [2 * month, 2 * (month - 1)];
      const once = { payouts: two, transfers: two, invoices: two, topUps: two, renewals, charges: two + renewals };
      expect(await effects()).toEqual(once);
      await expectConsistentLedger();
    }
  },
  faultTimeoutMs,
);

/** Every campaign delivers; together they spend more than any wallet has. */
async function spendSomething(month: number): Promise<void> {
  const world = { ...moneyWorld, db: db(), now: clock, passDays: () => undefined };
  for (let item = 0; item < moneyWorld.items.length; item += 1) {
    const micros = 1_000_000_000 + item * 10_001 + month;
    await applyEvent(world, { does: "deliver", item, daysBack: 0, source: 0, micros });
  }
}

/** Creates a top-up of each advertiser that is charged but interrupted before its result is recorded. */
async function createUnfinishedTopUps(month: number): Promise<void> {
  await db.owner().execute(sql`
    create or replace function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut' using errcode = 'ZZ001'; end $$`);
  await db
    .owner()
    .execute(sql`create trigger cuts_off before update on top_ups for each row execute function cut_off()`);
  for (const actor of moneyWorld.advertisers) {
    const input = { amount: asCents(5_000), payment_method_id: methodOf(actor), key: `month ${month}` };
    const topUp = topUpWallet(
      { db: db(), clock, entrypoint: "screen", report: () => undefined, actor },
      { ...input, returnPath: () => "/back" },
    );
    expect(await topUp.then(() => "recorded", sqlState)).toBe("ZZ001");
  }
  await db.owner().execute(sql`drop trigger cuts_off on top_ups`);
}

/** Both workers run all jobs, starting at the same time. */
async function runJobs(): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      worker.stdin.write(`${clock().toISOString()}\n`);
      await waitForOutput(worker, "done");
    }),
  );
}

/** Kills one worker at a random point; another worker retries its unfinished work an hour later. */
async function workUntilKilled(victim: Worker): Promise<void> {
  for (const worker of workers) worker.stdin.write(`${clock().toISOString()}\n`);
  const rest = workers.filter((worker) => worker !== victim).map((worker) => waitForOutput(worker, "done"));
  await sleep(Math.random() * 150);
  victim.kill("SIGKILL");
  const [fresh] = await Promise.all([startWorker(), victim.ended, ...rest]);
  workers = workers.map((worker) => (worker === victim ? fresh : worker));
  now += hour;
}

async function effects(): Promise<Record<string, number>> {
  return {
    renewals: await db().$count(planChanges, and(eq(planChanges.kind, "renewal"), eq(planChanges.status, "succeeded"))),
    payouts: await db().$count(payouts, eq(payouts.status, "paid")),
    transfers: await db().$count(sandboxTransfers),
    invoices: await db().$count(invoices),
    topUps: await db().$count(topUps, eq(topUps.status, "succeeded")),
    charges: await db().$count(sandboxPayments, eq(sandboxPayments.state, "succeeded")),
  };
}

async function expectConsistentLedger(): Promise<void> {
  const world = { ...moneyWorld, db: db(), now: clock, passDays: () => undefined };
  const settled = new Map<string, bigint>();
  await updateSettledModel(world, settled);
  expect(await countViolations(db())).toEqual(noViolations);
  expect(await bookedBalances(db())).toEqual(await expectedBalances(world, settled));
  expect(await findBrokenInvariants(db())).toEqual({});
}

async function startWorker(): Promise<Worker> {
  const args = ["--disable-proto=throw", script(), db.url()];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const worker = Object.assign(child, { ended: once(child, "exit") });
  worker.stdout.setEncoding("utf8");
  await waitForOutput(worker, "ready");
  return worker;
}

async function waitForOutput(worker: Worker, expected: string): Promise<void> {
  const ended = worker.ended.then(() => expect.fail("a worker ended"));
  const [output] = await Promise.race([once(worker.stdout, "data"), ended]);
  expect(String(output).trim()).toBe(expected);
}

async function stop(worker: Worker): Promise<void> {
  worker.stdin.end();
  await worker.ended;
}
