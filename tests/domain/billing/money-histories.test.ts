import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { withDeadline } from "#db/client.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout, isFull } from "#tests/support/fault-size.ts";
import { bookedBalances, breaches, expectedBalances, noBreaches, settleModel } from "./money-books.ts";
import { deliveries, happen, type MoneyEvent, moneyEvents, type Place } from "./money-events.ts";
import { firstDay, type MoneyWorld, makeMoneyWorld } from "./money-world.ts";

const db = useDatabase();
let stage: MoneyWorld;
beforeAll(async () => {
  stage = await makeMoneyWorld(db());
});

const runs = faultSize({ small: 15, all: 2_000 });
/** Most begin with something spent and held long enough, so that there is something to refund and to pay out. */
const opening = fc
  .tuple(fc.array(deliveries, { minLength: 1, maxLength: 4 }), fc.constantFrom(1, 9, 9))
  .map(([delivered, days]): MoneyEvent[] => [...delivered, { does: "settle", days }]);
const histories = fc
  .tuple(fc.option(opening, { nil: [], freq: 5 }), fc.array(moneyEvents, { minLength: 1, maxLength: 14 }))
  .map(([first, then]) => [...first, ...then]);

/** Reported anew, and refunded before that is settled. */
const delivered = { does: "deliver", item: 4, source: 0 } as const;
const refundedMeanwhile: MoneyEvent[] = [
  { ...delivered, daysBack: 0, micros: 10_001 },
  { does: "settle", days: 1 },
  { ...delivered, daysBack: 1, micros: 0 },
  { does: "refund", item: 4, cents: 1 },
];
/** Spent from a wallet whose payments are taken back, come again in part, and are paid once more. */
const takeBack = { does: "take_back", of: "top_ups", which: 0, reason: "dispute" } as const;
const takenBack: MoneyEvent[] = [
  { does: "top_up", who: 1, card: 0, dollars: 99.99, key: 0 },
  { ...delivered, daysBack: 0, micros: 50_000_001 },
  { does: "settle", days: 1 },
  { ...takeBack, cents: 10_000_000 },
  { ...takeBack, cents: 700 },
  { ...takeBack, reason: "refund", cents: 9_901 },
  { does: "top_up", who: 1, card: 0, dollars: 250, key: 1 },
  { ...takeBack, cents: 0 },
];
/** A plan that is paid from what was earned, and a payout that is less by it. */
const fromEarnings: MoneyEvent[] = [
  { ...delivered, daysBack: 0, micros: 400_000_000 },
  { does: "settle", days: 9 },
  { does: "plan_funding", who: 1, payFrom: "earnings" },
  { does: "plan", who: 1, card: 0, plan: "starter", key: 0 },
  { does: "plan", who: 1, card: 0, plan: "professional", key: 0 },
  { does: "request_payout", who: 1, closed: true, dollars: undefined },
  { does: "send_payouts" },
  { does: "send_payouts" },
  { does: "renew", days: 31 },
];

test(
  `after each event of ${runs} random histories the books balance and say what happened outside of them`,
  async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(histories, async (events) => {
        await undone(async (place) => {
          const settled = new Map<string, bigint>();
          for (const event of events) {
            const done = await happen(place, event);
            seen.set(`${event.does} ${done}`, (seen.get(`${event.does} ${done}`) ?? 0) + 1);
            if (event.does === "settle") await settleModel(place, settled);
            await atCommit(place);
            place.passDays(1 / 86_400);
            expect(await breaches(place.db)).toEqual(noBreaches);
            expect(await bookedBalances(place.db)).toEqual(await expectedBalances(place, settled));
          }
          const job = { kind: "job", name: "test" } as const;
          expect(
            await checkLedger({ db: place.db, clock: place.now, door: "job", report: () => undefined, actor: job }),
          ).toEqual([]);
        });
      }),
      { numRuns: runs, examples: [[refundedMeanwhile], [takenBack], [fromEarnings]] },
    );
    // Else the histories would be histories of refusals.
    const often: MoneyEvent["does"][] = ["top_up", "deliver", "settle", "refund", "plan", "take_back"];
    const kinds = isFull
      ? [
          ...often,
          "confirm",
          "request_payout",
          "send_payouts",
          "month",
          "pay_invoice",
          "credit",
          "cancel_plan",
          "renew",
        ]
      : often;
    for (const kind of kinds) expect(seen.get(`${kind} true`), kind).toBeGreaterThan(0);
  },
  faultTimeout,
);

class Undone extends Error {}

/** A history in a transaction that is undone: each begins with the same books, and a failing one can be made smaller. */
async function undone(history: (place: Place) => Promise<void>): Promise<void> {
  let now = Date.parse(`${firstDay}T12:00:00Z`);
  const passDays = (days: number) => {
    now += days * 86_400_000;
  };
  const running = withDeadline(60_000, () =>
    db().transaction(async (tx) => {
      await history({ ...stage, db: tx, now: () => new Date(now), passDays });
      throw new Undone();
    }),
  );
  await running.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

/** What the database asks at a commit, asked now. */
async function atCommit({ db: tx }: Place): Promise<void> {
  await tx.execute(sql`set constraints all immediate`);
  await tx.execute(sql`set constraints all deferred`);
}
