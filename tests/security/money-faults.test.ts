import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { ledgerTransactions } from "#db/schema/index.ts";
import {
  bookedBalances,
  breaches,
  expectedBalances,
  noBreaches,
  settleModel,
} from "#tests/domain/billing/money-books.ts";
import { happen, moneyEvents, type Place, tellTakings } from "#tests/domain/billing/money-events.ts";
import { firstDay, type MoneyWorld, makeMoneyWorld } from "#tests/domain/billing/money-world.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout } from "#tests/support/fault-size.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";

const db = useDatabase();
let stage: MoneyWorld;
let now = Date.parse(`${firstDay}T12:00:00Z`);
beforeAll(async () => {
  stage = await makeMoneyWorld(db());
});
/** What was written before by a clock that ran ahead is in the past. */
beforeEach(() => {
  now += 40 * 86_400_000;
});

const place = (): Place => ({
  ...stage,
  db: db(),
  now: () => new Date(now),
  passDays: (days) => {
    now += Math.min(days, 1) * 8_640_000;
  },
});

const [writers, each] = [20, faultSize({ small: 15, all: 500 })];
const kills = faultSize({ small: 2, all: 60 });

/** What a fault of ours reads like: a statement refused in mid-transaction, a connection that is cut, and what waited for them. */
const ours = new Set([
  "ZZ001",
  "57P01",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "ECONNRESET",
  "55P03",
  "57014",
  "40P01",
]);

test(
  `${writers} writers of ${each} random events, whose statements fail and whose connections are cut, leave books that add up`,
  async () => {
    await failStatements(0.02);
    const faults = new Map<string, number>();
    let writing = true;
    const cutting = cutConnections(() => writing);
    const works = fc.sample(fc.array(moneyEvents, { minLength: each, maxLength: each }), writers);
    await Promise.all(
      works.map(async (events) => {
        for (const event of events) {
          const code = await happen(place(), event).then(() => "", sqlState);
          if (code) faults.set(code, (faults.get(code) ?? 0) + 1);
        }
      }),
    );
    writing = false;
    await cutting;
    // On a busy machine the cuts may leave no statement the time to fail by itself.
    for (const event of fc.sample(moneyEvents, 300)) {
      if (faults.has("ZZ001")) break;
      const code = await happen(place(), event).then(() => "", sqlState);
      if (code) faults.set(code, (faults.get(code) ?? 0) + 1);
    }
    await failStatements(0);
    // What was written in a moment has no statistics yet, and whoever checks the books without them takes seconds.
    await db().execute(sql`analyze`);
    expect([...faults.keys()].filter((code) => !ours.has(code))).toEqual([]);
    expect(faults.get("ZZ001")).toBeGreaterThan(0);
    expect([...faults.keys()].filter((code) => code !== "ZZ001").length).toBeGreaterThan(0);
    await expectWholeBooks();
  },
  faultTimeout,
);

test(
  `${kills} times kill -9 of a process that charges, settles, refunds and pays out: what it left is taken up, and the books add up`,
  async () => {
    for (let round = 0; round < kills; round += 1) {
      const before = await db().$count(ledgerTransactions);
      const { child, clock } = await startProcess();
      // It has always something to do: else the rounds after would kill a process that does nothing.
      const many = 3 + Math.random() * 12;
      const moved = async () => (await db().$count(ledgerTransactions)) >= before + many;
      await vi.waitUntil(moved, { interval: 10, timeout: 30_000 });
      await sleep(Math.random() * 150);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      // Nothing that it left is due later.
      now = clock() + 86_400_000;
      await expectWholeBooks();
    }
  },
  faultTimeout,
);

/** Lets the jobs take up what broke off, and everything be settled; then nothing may be missing, and nothing twice. */
async function expectWholeBooks(): Promise<void> {
  const job = {
    db: db(),
    clock: () => new Date(now),
    door: "job",
    report: () => undefined,
    actor: { kind: "job", name: "test" },
  } as const;
  for (let round = 0; round < 3; round += 1) {
    // Longer than whoever held it may hold on to it.
    now += 3_600_000;
    await finishDueTopUps(job);
    await finishDuePlanChanges(job);
    await sendDuePayouts(job);
    await tellTakings(place());
  }
  now += 86_400_000;
  await settleDelivery(job);
  const settled = new Map<string, bigint>();
  await settleModel(place(), settled);
  expect(await breaches(db())).toEqual(noBreaches);
  expect(await bookedBalances(db())).toEqual(await expectedBalances(place(), settled));
  expect(await checkLedger(job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
}

/** Every so often a statement that writes money down is refused, in the middle of what it is part of. */
async function failStatements(share: number): Promise<void> {
  const tables = [
    "ledger_entries",
    "transactions",
    "revenue_shares",
    "payout_lines",
    "top_ups",
    "line_item_settlements",
  ];
  await db().execute(sql`
    create or replace function fail_at_random() returns trigger language plpgsql as $$
    begin
      if random() < tg_argv[0]::float8 then raise exception 'a fault of the test' using errcode = 'ZZ001'; end if;
      return null;
    end $$`);
  for (const table of tables) {
    await db().execute(sql.raw(`drop trigger if exists fails_at_random on ${table}`));
    if (share === 0) continue;
    await db().execute(
      sql.raw(
        `create trigger fails_at_random after insert or update on ${table} for each statement execute function fail_at_random('${share}')`,
      ),
    );
  }
}

/** Cuts connections that are in the middle of something. */
async function cutConnections(goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    await sleep(60);
    const busy = sql`datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
    await db()
      .execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where ${busy} order by random() limit 1`)
      .catch(() => undefined);
  }
}

/** With the time by its own clock, as it said last. */
async function startProcess(): Promise<{ child: ChildProcess; clock: () => number }> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const file = resolve(import.meta.dirname, "money-process.ts");
  const args = ["--disable-proto=throw", "--import", tsx, file, db.url(), new Date(now).toISOString()];
  const env = { ...process.env, MONEY_WORLD: JSON.stringify(stage) };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said = text.trim().split("\n").at(-1) ?? said;
  });
  await once(child.stdout, "data");
  return { child, clock: () => Number(said) };
}
