import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseDefaultMethod } from "#app/domain/billing/payments/choose-default-method.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addMonths, calendarMonthOf, firstInstantOf } from "#app/domain/calendar-month.ts";
import { toCents } from "#app/domain/money.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { invoices, payouts, planChanges, sandboxPayments, sandboxTransfers, topUps } from "#db/schema/index.ts";
import {
  bookedBalances,
  breaches,
  expectedBalances,
  noBreaches,
  settleModel,
} from "#tests/domain/billing/money-books.ts";
import { happen } from "#tests/domain/billing/money-events.ts";
import { cards, firstDay, type MoneyWorld, makeMoneyWorld } from "#tests/domain/billing/money-world.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout } from "#tests/support/fault-size.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";

type Worker = ChildProcessByStdio<Writable, Readable, null> & { ended: Promise<unknown> };

const db = useDatabase();
const months = faultSize({ small: 2, all: 30 });
const hour = 3_600_000;
let now = Date.parse(`${firstDay}T12:00:00Z`);
let stage: MoneyWorld;
let workers: Worker[] = [];
const clock = () => new Date(now);

beforeAll(async () => {
  stage = await makeMoneyWorld(db());
  for (const actor of stage.publishers) {
    await chooseDefaultMethod(
      { db: db(), clock, door: "screen", report: () => undefined, actor },
      { id: methodOf(actor) },
    );
  }
  workers = await Promise.all([startWorker(), startWorker()]);
}, 60_000);
afterAll(async () => {
  await Promise.all(workers.map(stop));
});

const methodOf = ({ accountId }: { accountId: string }) =>
  stage.methods[`${accountId} ${cards[0]}`] ?? expect.fail("they have a card");

test(
  `for ${months} months two workers at once settle, renew, bill, pay out and finish all there is to do, each once, also when one is killed`,
  async () => {
    for (let month = 1; month <= months; month += 1) {
      await spendSomething(month);
      await leaveTopUps(month);
      now += 24 * hour;
      await work();
      now = firstInstantOf(addMonths(calendarMonthOf(clock()), 1)).getTime() + 2 * hour;
      if (month % 2 === 0) await workUntilKilled(workers[month % 4 === 0 ? 0 : 1] ?? expect.fail());
      await work();
      // A payout to each of two publishers, and an invoice and a top-up of each of two advertisers; from the second month on their plans.
      const [two, renewals] = [2 * month, 2 * (month - 1)];
      const once = { payouts: two, transfers: two, invoices: two, topUps: two, renewals, charges: two + renewals };
      expect(await effects()).toEqual(once);
      await expectWholeBooks();
    }
  },
  faultTimeout,
);

/** Each campaign delivers, together more than is in any wallet. */
async function spendSomething(month: number): Promise<void> {
  const place = { ...stage, db: db(), now: clock, passDays: () => undefined };
  for (let item = 0; item < stage.items.length; item += 1) {
    const micros = 1_000_000_000 + item * 10_001 + month;
    await happen(place, { does: "deliver", item, daysBack: 0, source: 0, micros });
  }
}

/** A top-up of each advertiser's that is charged, and cut off before that is written down. */
async function leaveTopUps(month: number): Promise<void> {
  await db().execute(sql`
    create or replace function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut' using errcode = 'ZZ001'; end $$`);
  await db().execute(sql`create trigger cuts_off before update on top_ups for each row execute function cut_off()`);
  for (const actor of stage.advertisers) {
    const input = { amount: toCents(5_000), payment_method_id: methodOf(actor), key: `month ${month}` };
    const topUp = topUpWallet(
      { db: db(), clock, door: "screen", report: () => undefined, actor },
      { ...input, returnPath: () => "/back" },
    );
    expect(await topUp.then(() => "written down", sqlState)).toBe("ZZ001");
  }
  await db().execute(sql`drop trigger cuts_off on top_ups`);
}

/** Both do everything, beginning in the same moment. */
async function work(): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      worker.stdin.write(`${clock().toISOString()}\n`);
      await word(worker, "done");
    }),
  );
}

/** One is killed somewhere in the middle; what it left is due again in an hour, to another. */
async function workUntilKilled(victim: Worker): Promise<void> {
  for (const worker of workers) worker.stdin.write(`${clock().toISOString()}\n`);
  const rest = workers.filter((worker) => worker !== victim).map((worker) => word(worker, "done"));
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

async function expectWholeBooks(): Promise<void> {
  const place = { ...stage, db: db(), now: clock, passDays: () => undefined };
  const settled = new Map<string, bigint>();
  await settleModel(place, settled);
  expect(await breaches(db())).toEqual(noBreaches);
  expect(await bookedBalances(db())).toEqual(await expectedBalances(place, settled));
  expect(await findBrokenInvariants(db())).toEqual({});
}

async function startWorker(): Promise<Worker> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const file = resolve(import.meta.dirname, "money-worker.ts");
  const args = ["--disable-proto=throw", "--import", tsx, file, db.url()];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const worker = Object.assign(child, { ended: once(child, "exit") });
  worker.stdout.setEncoding("utf8");
  await word(worker, "ready");
  return worker;
}

async function word(worker: Worker, wanted: string): Promise<void> {
  const ended = worker.ended.then(() => expect.fail("a worker ended"));
  const [said] = await Promise.race([once(worker.stdout, "data"), ended]);
  expect(String(said).trim()).toBe(wanted);
}

async function stop(worker: Worker): Promise<void> {
  worker.stdin.end();
  await worker.ended;
}
