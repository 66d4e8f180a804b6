import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { balanceReturns, ledgerTransactions } from "#db/schema/index.ts";
import {
  bookedBalances,
  countViolations,
  expectedBalances,
  noViolations,
  updateSettledModel,
} from "#tests/domain/billing/money-books.ts";
import {
  applyEvent,
  eventsWithReturns,
  type MoneyEvent,
  type MoneyTestWorld,
  reportReversals,
} from "#tests/domain/billing/money-events.ts";
import { createMoneyWorld, firstDay, type MoneyWorld } from "#tests/domain/billing/money-world.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { useBundledScript } from "#tests/support/use-bundled-script.ts";

const db = useDatabase();
const script = useBundledScript(resolve(import.meta.dirname, "money-process.ts"));
let moneyWorld: MoneyWorld;
let now = Date.parse(`${firstDay}T12:00:00Z`);
beforeAll(async () => {
  moneyWorld = await createMoneyWorld(db(), db.owner());
  await closeSomeAccounts();
});
/** Starts after every time that an earlier run with an advanced clock has stored. */
beforeEach(() => {
  now += 40 * 86_400_000;
});

const currentWorld = (): MoneyTestWorld => ({
  ...moneyWorld,
  db: db(),
  now: () => new Date(now),
  passDays: (days) => {
    now += Math.min(days, 1) * 8_640_000;
  },
});

const [writers, each] = [20, faultRuns({ small: 15, all: 500 })];
const kills = faultRuns({ small: 2, all: 60 });

/**
 * Messages of the test's faults: a statement rejected in its transaction, a lost connection, and what waited for
 * either.
 */
const expectedErrorCodes = new Set([
  "ZZ001",
  "57P01",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "ECONNRESET",
  // The same, met by a write to a Unix socket.
  "EPIPE",
  "55P03",
  "57014",
  "40P01",
]);

test(
  `${writers} writers of ${each} random events, with failing statements and broken connections, leave balanced books`,
  async () => {
    await failStatements(0.02);
    const faults = new Map<string, number>();
    let writing = true;
    const cutting = cutConnections(() => writing);
    const histories = fc.sample(fc.array(eventsWithReturns, { minLength: each, maxLength: each }), writers);
    await Promise.all(
      histories.map(async (events) => {
        for (const event of events) {
          const code = await applyEvent(currentWorld(), event).then(() => "", sqlState);
          if (code) faults.set(code, (faults.get(code) ?? 0) + 1);
        }
      }),
    );
    writing = false;
    await cutting;
    // On a busy machine the lost connections may leave no statement the time to fail by itself.
    for (const event of fc.sample(eventsWithReturns, 300)) {
      if (faults.has("ZZ001")) break;
      const code = await applyEvent(currentWorld(), event).then(() => "", sqlState);
      if (code) faults.set(code, (faults.get(code) ?? 0) + 1);
    }
    await failStatements(0);
    // New rows have no statistics yet, and checking the books without them takes seconds.
    await db.owner().execute(sql`analyze`);
    expect([...faults.keys()].filter((code) => !expectedErrorCodes.has(code))).toEqual([]);
    expect(faults.get("ZZ001")).toBeGreaterThan(0);
    expect([...faults.keys()].filter((code) => code !== "ZZ001").length).toBeGreaterThan(0);
    expect(await db().$count(balanceReturns)).toBeGreaterThan(0);
    await finishJobsAndCheckLedger();
  },
  faultTimeoutMs,
);

test(
  `${kills} times kill -9 of a process that charges, settles, refunds, pays out and returns balances: its work is resumed, and the books balance`,
  async () => {
    const returned = await db().$count(balanceReturns);
    for (let round = 0; round < kills; round += 1) {
      const before = await db().$count(ledgerTransactions);
      const { child, clock } = await startProcess();
      // There is always work left; otherwise later rounds would kill an idle process.
      const many = 3 + Math.random() * 12;
      const hasEnoughTransactions = async () => (await db().$count(ledgerTransactions)) >= before + many;
      await vi.waitUntil(hasEnoughTransactions, { interval: 10, timeout: 30_000 });
      await sleep(Math.random() * 150);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      // None of its unfinished work is due later.
      now = clock() + 86_400_000;
      await finishJobsAndCheckLedger();
    }
    if (isFullFaultRun) expect(await db().$count(balanceReturns)).toBeGreaterThan(returned);
  },
  faultTimeoutMs,
);

/**
 * Closes one of the advertisers and one of the publishers, with money in the wallet and earnings that were settled.
 * Their campaigns are paused, and no plan is renewed.
 */
async function closeSomeAccounts(): Promise<void> {
  const who = 1;
  const [advertiser, publisher] = [moneyWorld.advertisers[who], moneyWorld.publishers[who]];
  if (!advertiser || !publisher) throw new Error("the world has two of each");
  const events: MoneyEvent[] = [
    { does: "top_up", who, card: 0, dollars: 5_000, key: 0 },
    { does: "top_up", who, card: 0, dollars: 1_000, key: 1 },
    { does: "deliver", item: 2, daysBack: 0, source: 0, micros: 400_000_000 },
    { does: "deliver", item: 4, daysBack: 0, source: 0, micros: 400_000_000 },
    { does: "cancel_plan", who },
  ];
  for (const event of events) expect(await applyEvent(currentWorld(), event), JSON.stringify(event)).toBe(true);
  now += 86_400_000;
  const world = { db: db(), clock: () => new Date(now), entrypoint: "screen", report: () => undefined } as const;
  await settleDelivery({ ...world, entrypoint: "job", actor: { kind: "job", name: "test" } });
  for (const item of moneyWorld.items) {
    const input = { id: item.campaignId };
    if (item.advertiser === advertiser.accountId) await pauseCampaign({ ...world, actor: advertiser }, input);
    if (item.publisher === publisher.accountId) await pauseLineItem({ ...world, actor: publisher }, input);
  }
  for (const side of ["advertisers", "publishers"] as const)
    await applyEvent(currentWorld(), { does: "close", side, who });
}

/** Runs the jobs until interrupted work is finished and everything is settled; nothing may be missing or duplicated. */
async function finishJobsAndCheckLedger(): Promise<void> {
  const job = {
    db: db(),
    clock: () => new Date(now),
    entrypoint: "job",
    report: () => undefined,
    actor: { kind: "job", name: "test" },
  } as const;
  for (let round = 0; round < 3; round += 1) {
    // Longer than any lease.
    now += 3_600_000;
    await finishDueTopUps(job);
    await finishDuePlanChanges(job);
    await sendDuePayouts(job);
    await reportReversals(currentWorld());
  }
  now += 86_400_000;
  await settleDelivery(job);
  const settled = new Map<string, bigint>();
  await updateSettledModel(currentWorld(), settled);
  expect(await countViolations(db())).toEqual(noViolations);
  expect(await bookedBalances(db())).toEqual(await expectedBalances(currentWorld(), settled));
  expect(await checkLedger(job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
}

/** Makes statements that write money fail at random within their transactions. */
async function failStatements(share: number): Promise<void> {
  const tables = [
    "ledger_entries",
    "transactions",
    "revenue_shares",
    "payout_lines",
    "top_ups",
    "line_item_settlements",
    "repayments",
    "balance_returns",
  ];
  await db.owner().execute(sql`
    create or replace function fail_at_random() returns trigger language plpgsql as $$
    begin
      if random() < tg_argv[0]::float8 then raise exception 'a fault of the test' using errcode = 'ZZ001'; end if;
      return null;
    end $$`);
  for (const table of tables) {
    await db.owner().execute(sql.raw(`drop trigger if exists fails_at_random on ${table}`));
    if (share === 0) continue;
    await db
      .owner()
      .execute(
        sql.raw(
          `create trigger fails_at_random after insert or update on ${table} for each statement execute function fail_at_random('${share}')`,
        ),
      );
  }
}

/** Terminates connections at random within their transactions. */
async function cutConnections(isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    await sleep(60);
    const busy = sql`datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
    await db()
      .execute(
        // Waits for its end, so that no connection is terminated afterwards.
        sql`select pg_terminate_backend(pid, 2000) from (
          select pid from pg_stat_activity where ${busy} order by random() limit 1) one`,
      )
      .catch(() => undefined);
  }
}

/** Starts a process and returns it with a function that returns the time it printed last. */
async function startProcess(): Promise<{ child: ChildProcess; clock: () => number }> {
  const args = ["--disable-proto=throw", script(), db.url(), new Date(now).toISOString()];
  const env = { ...process.env, MONEY_WORLD: JSON.stringify(moneyWorld) };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output = text.trim().split("\n").at(-1) ?? output;
  });
  await once(child.stdout, "data");
  return { child, clock: () => Number(output) };
}
