import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { sumEarnings } from "#app/domain/billing/list-revenue-shares.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { bookedBalances, countViolations, expectedBalances, noViolations, updateSettledModel } from "./money-books.ts";
import {
  applyEvent,
  balanceReturnEvents,
  closings,
  debtRepaymentEvents,
  deliveries,
  type MoneyEvent,
  type MoneyTestWorld,
  moneyEvents,
  refunds,
  reversals,
} from "./money-events.ts";
import { createMoneyWorld, firstDay, type MoneyWorld } from "./money-world.ts";

const db = useDatabase();
let moneyWorld: MoneyWorld;
beforeAll(async () => {
  moneyWorld = await createMoneyWorld(db(), db.owner());
});

const runs = faultRuns({ small: 15, all: 2_000 });
/** Most histories begin with settled spend past its holding period, so that refunds and payouts are possible. */
const opening = fc
  .tuple(fc.array(deliveries, { minLength: 1, maxLength: 4 }), fc.constantFrom(1, 9, 9))
  .map(([delivered, days]): MoneyEvent[] => [...delivered, { does: "settle", days }]);
/** In some histories accounts are closed. What changes their balances afterwards is more frequent there. */
const someEvents = fc.oneof(
  { weight: 2, arbitrary: fc.array(moneyEvents, { minLength: 1, maxLength: 14 }) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(
        { weight: 15, arbitrary: moneyEvents },
        { weight: 1, arbitrary: closings },
        { weight: 5, arbitrary: balanceReturnEvents },
        { weight: 3, arbitrary: debtRepaymentEvents },
        { weight: 2, arbitrary: refunds },
        { weight: 3, arbitrary: reversals },
      ),
      { minLength: 1, maxLength: 18 },
    ),
  },
);
const histories = fc
  .tuple(fc.option(opening, { nil: [], freq: 5 }), someEvents)
  .map(([leadingEvents, followingEvents]) => [...leadingEvents, ...followingEvents]);

/** A day is restated, and refunded before the restatement is settled. */
const delivered = { does: "deliver", item: 4, source: 0 } as const;
const refundedMeanwhile: MoneyEvent[] = [
  { ...delivered, daysBack: 0, micros: 10_001 },
  { does: "settle", days: 1 },
  { ...delivered, daysBack: 1, micros: 0 },
  { does: "refund", item: 4, cents: 1 },
];
/** Spend from a wallet whose top-up is reversed, reinstated in part, and followed by another top-up. */
const reversePayment = { does: "reverse", of: "top_ups", which: 0, reason: "dispute" } as const;
const reversed: MoneyEvent[] = [
  { does: "top_up", who: 1, card: 0, dollars: 99.99, key: 0 },
  { ...delivered, daysBack: 0, micros: 50_000_001 },
  { does: "settle", days: 1 },
  { ...reversePayment, cents: 10_000_000 },
  { ...reversePayment, cents: 700 },
  { ...reversePayment, reason: "refund", cents: 9_901 },
  { does: "top_up", who: 1, card: 0, dollars: 250, key: 1 },
  { ...reversePayment, cents: 0 },
];
/** A plan that is paid from earnings, and a payout that is reduced by its price. */
const fromEarnings: MoneyEvent[] = [
  { ...delivered, daysBack: 0, micros: 400_000_000 },
  { does: "settle", days: 1 },
  { ...delivered, daysBack: 0, micros: 400_000_000 },
  { does: "settle", days: 9 },
  { does: "plan_funding", who: 1, payFrom: "earnings" },
  { does: "plan", who: 1, card: 0, plan: "starter", key: 0 },
  { does: "plan", who: 1, card: 0, plan: "professional", key: 0 },
  { does: "renew", days: 31 },
  { does: "request_payout", who: 1, closed: true, dollars: undefined },
  { does: "send_payouts" },
  { does: "send_payouts" },
];

/** A refund of earnings that were paid out, which the publisher repays, and a payout of later earnings with both. */
const repaid: MoneyEvent[] = [
  { ...delivered, daysBack: 0, micros: 400_000_000 },
  { does: "settle", days: 1 },
  { does: "settle", days: 9 },
  { does: "request_payout", who: 1, closed: false, dollars: undefined },
  { does: "send_payouts" },
  { does: "send_payouts" },
  { does: "refund", item: 4, cents: 7_001 },
  { does: "repay", who: 1, cents: 99, key: 0 },
  { does: "repay", who: 1, cents: 99, key: 0 },
  { does: "repay", who: 1, cents: "all", key: 1 },
  { does: "reverse_repayment", who: 0, key: 1 },
  { does: "reverse_repayment", who: 1, key: 1 },
  { does: "reverse_repayment", who: 1, key: 1 },
  { does: "repay", who: 1, cents: "all", key: 1 },
  { does: "reverse_repayment", who: 1, key: 0 },
  { ...delivered, daysBack: 0, micros: 400_000_000 },
  { does: "settle", days: 1 },
  { does: "settle", days: 9 },
  { does: "request_payout", who: 1, closed: true, dollars: undefined },
  { does: "send_payouts" },
  { does: "send_payouts" },
  { does: "request_payout", who: 1, closed: false, dollars: undefined },
  { does: "send_payouts" },
  { does: "send_payouts" },
  { does: "reverse_repayment", who: 1, key: 1 },
];

/** Two accounts are closed, spend is restated and refunded afterwards, and what is owed to them is sent back. */
const onlyItem = { does: "deliver", item: 4, source: 0, daysBack: 0 } as const;
const returnedToAdvertiser = { does: "return_balance", side: "advertisers", who: 1 } as const;
const returnedToPublisher = { does: "return_balance", side: "publishers", who: 1 } as const;
const sentBack: MoneyEvent[] = [
  { does: "top_up", who: 1, card: 0, dollars: 250, key: 0 },
  { ...onlyItem, micros: 123_456_789 },
  { does: "settle", days: 1 },
  { ...returnedToAdvertiser, cents: 1, key: 0 },
  { does: "close", side: "advertisers", who: 1 },
  { does: "close", side: "publishers", who: 1 },
  { ...returnedToPublisher, cents: 1, key: 0 },
  { ...onlyItem, micros: 50_000_001 },
  { ...returnedToAdvertiser, cents: "more", key: 0 },
  { ...returnedToAdvertiser, cents: 99, key: 0 },
  { ...returnedToPublisher, cents: 99, key: 0 },
  { does: "settle", days: 1 },
  { does: "settle", days: 9 },
  { ...returnedToPublisher, cents: 99, key: 1 },
  { ...returnedToPublisher, cents: "all", key: 2 },
  { ...returnedToAdvertiser, cents: "all", key: 3 },
  { does: "refund", item: 4, cents: 7_001 },
  { ...returnedToAdvertiser, cents: "all", key: 4 },
  { does: "repay", who: 1, cents: "all", key: 0 },
  { does: "reverse", of: "top_ups", which: 0, reason: "dispute", cents: 9_901 },
  { does: "reverse_return", side: "advertisers", who: 1, key: 3 },
  { does: "reverse_return", side: "advertisers", who: 0, key: 4 },
  { does: "reverse_return", side: "publishers", who: 1, key: 2 },
  { does: "reverse_return", side: "publishers", who: 1, key: 2 },
  { ...returnedToPublisher, cents: "more", key: 5 },
  { ...returnedToPublisher, cents: "all", key: 2 },
];

/**
 * The top-up of a closed account is disputed, the dispute is won and sent back, and then a part is refunded at the
 * provider.
 */
const wonAfterClosing: MoneyEvent[] = [
  { does: "top_up", who: 1, card: 0, dollars: 250, key: 0 },
  { does: "close", side: "advertisers", who: 1 },
  { ...reversePayment, cents: 9_901 },
  { ...returnedToAdvertiser, cents: "all", key: 0 },
  { ...reversePayment, cents: 0 },
  { ...returnedToAdvertiser, cents: "all", key: 1 },
  { ...reversePayment, reason: "refund", cents: 700 },
  { does: "reverse_return", side: "advertisers", who: 1, key: 1 },
  { ...returnedToAdvertiser, cents: "all", key: 1 },
];

/**
 * A closed advertiser owes what is restated, transfers it, and has some of it refunded before a transfer is reversed.
 */
const repaidAfterClosing: MoneyEvent[] = [
  { does: "close", side: "advertisers", who: 1 },
  { ...onlyItem, micros: 50_000_001 },
  { does: "settle", days: 1 },
  { does: "repay_debt", who: 1, cents: 99, key: 0 },
  { does: "repay_debt", who: 1, cents: "all", key: 1 },
  { does: "refund", item: 4, cents: 701 },
  { does: "reverse_debt_repayment", who: 1, key: 1 },
  { does: "repay_debt", who: 1, cents: "all", key: 1 },
  { does: "reverse_debt_repayment", who: 1, key: 0 },
];

test(
  `after each event of ${runs} random histories the books balance and agree with the provider`,
  async () => {
    const outcomeCounts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(histories, async (events) => {
        await inRolledBackTransaction(async (world) => {
          const settled = new Map<string, bigint>();
          for (const event of events) {
            const succeeded = await applyEvent(world, event);
            outcomeCounts.set(`${event.does} ${succeeded}`, (outcomeCounts.get(`${event.does} ${succeeded}`) ?? 0) + 1);
            if (event.does === "settle") await updateSettledModel(world, settled);
            await checkDeferredConstraints(world);
            world.passDays(1 / 86_400);
            expect(await countViolations(world.db)).toEqual(noViolations);
            expect(await bookedBalances(world.db)).toEqual(await expectedBalances(world, settled));
          }
          for (const actor of world.publishers) {
            const ctx = {
              db: world.db,
              clock: world.now,
              entrypoint: "screen" as const,
              report: () => undefined,
              actor,
            };
            const all = await getEarnings(ctx);
            const { returned } = await getPayoutBalance(ctx);
            const states = all.pending + all.available + all.inTransit + all.paid + all.appliedToPlan - all.repaid;
            expect(all.totalEarnings).toBe(states + returned);
            expect(all.commissionEarned).toBe(all.totalEarnings + all.notSettled + all.refunded);
            expect(await sumEarnings(ctx)).toBe(all.totalEarnings);
          }
          const job = { kind: "job", name: "test" } as const;
          expect(
            await checkLedger({
              db: world.db,
              clock: world.now,
              entrypoint: "job",
              report: () => undefined,
              actor: job,
            }),
          ).toEqual([]);
        });
      }),
      {
        numRuns: runs,
        examples: [
          [refundedMeanwhile],
          [reversed],
          [fromEarnings],
          [repaid],
          [sentBack],
          [wonAfterClosing],
          [repaidAfterClosing],
        ],
      },
    );
    // Otherwise the histories might consist of rejected events only.
    const frequentKinds: MoneyEvent["does"][] = [
      "top_up",
      "deliver",
      "settle",
      "refund",
      "plan",
      "reverse",
      "repay",
      "reverse_repayment",
      "close",
      "return_balance",
      "reverse_return",
      "repay_debt",
      "reverse_debt_repayment",
    ];
    const kinds = isFullFaultRun
      ? [
          ...frequentKinds,
          "confirm",
          "request_payout",
          "send_payouts",
          "month",
          "pay_invoice",
          "credit",
          "cancel_plan",
          "renew",
        ]
      : frequentKinds;
    for (const kind of kinds) expect(outcomeCounts.get(`${kind} true`), kind).toBeGreaterThan(0);
  },
  faultTimeoutMs,
);

test("in the example of a plan that is paid from earnings, every event succeeds and the payout is reduced by the price", async () => {
  await inRolledBackTransaction(async (world) => {
    for (const event of fromEarnings) {
      expect(await applyEvent(world, event), JSON.stringify(event)).toBe(true);
      world.passDays(1 / 86_400);
    }
    const lines = sql`select amount_cents::int as cents from payout_lines where plan_offset_id is not null`;
    expect(await queryRows(world.db, z.object({ cents: z.number() }), lines)).toEqual([
      { cents: -plans.professional.monthlyAmount },
    ]);
  });
});

test("in the example of a dispute that is won after the closing, every event succeeds and what was paid is sent back but for the refund", async () => {
  await inRolledBackTransaction(async (world) => {
    for (const event of wonAfterClosing) {
      expect(await applyEvent(world, event), JSON.stringify(event)).toBe(true);
      world.passDays(1 / 86_400);
    }
    const returns = sql`select amount_cents::int as cents from balance_returns order by id`;
    const amounts = await queryRows(world.db, z.object({ cents: z.number() }), returns);
    expect(amounts.map(({ cents }) => cents)).toEqual([25_000 - 9_901, 9_901, -9_901, 9_901 - 700]);
  });
});

test("in the example of a closed advertiser that repays, every event succeeds and what it owes is its reversed transfer", async () => {
  await inRolledBackTransaction(async (world) => {
    for (const event of repaidAfterClosing) {
      expect(await applyEvent(world, event), JSON.stringify(event)).toBe(true);
      world.passDays(1 / 86_400);
    }
    const transfers = sql`select amount_cents::int as cents from repayments order by id`;
    const amounts = await queryRows(world.db, z.object({ cents: z.number() }), transfers);
    expect(amounts.map(({ cents }) => cents)).toEqual([99, 5_000 - 99, 99 - 5_000, 5_000 - 99 - 701, -99]);
  });
});

class RolledBack extends Error {}

/**
 * Runs a history in a transaction that is rolled back: each begins with the same books, and a failing one can be
 * shrunk.
 */
async function inRolledBackTransaction(history: (world: MoneyTestWorld) => Promise<void>): Promise<void> {
  let now = Date.parse(`${firstDay}T12:00:00Z`);
  const passDays = (days: number) => {
    now += days * 86_400_000;
  };
  const running = withDeadline({ db: db() }, 60_000).db.transaction(async (tx) => {
    await history({ ...moneyWorld, db: tx, now: () => new Date(now), passDays });
    throw new RolledBack();
  });
  await running.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}

/** Checks now the constraints that the database otherwise checks at commit. */
async function checkDeferredConstraints({ db: tx }: MoneyTestWorld): Promise<void> {
  await tx.execute(sql`set constraints all immediate`);
  await tx.execute(sql`set constraints all deferred`);
}
