import { eq, type SQL } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { listPayoutLines, listPayouts } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { readPlanFunding, setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { type CampaignId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { lineItems, payoutRuns, subscriptions } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { planCents } from "#tests/support/plan-prices.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let running: CampaignId;

async function earn(day: string): Promise<void> {
  world.setNow(`${day}T12:00:00Z`);
  await world.deliver(running, { day: day as CalendarDate, spendMicros: 100_000_000 });
  world.advanceDays(1);
  await settleDelivery(world.job);
}

/** Harbor Goods, without a card, started its plan on December 1 and has earned $70 on each of ten days since. */
beforeAll(async () => {
  world = await createWorld(db());
  world.setNow("2026-11-20T12:00:00Z");
  await world.subscribe("harbor", undefined);
  const changes = { start_date: "2026-11-20", end_date: "2029-12-31", budget: 900_000, daily_budget: 9_000 };
  running = await world.aRunningCampaign({ changes });
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
  await setPlanFunding(world.harbor, { payFrom: "earnings" });
  await earn("2026-11-20");
  await earn("2026-11-21");
  world.setNow("2026-12-01T15:00:00Z");
  await changePlan(world.harbor, { planType: "starter", key: newId(), returnPath: () => "/publisher/billing" });
  for (let day = 10; day < 20; day += 1) await earn(`2026-12-${day}`);
  world.setNow("2026-12-31T12:00:00Z");
});

const earned = 12 * 7_000 - planCents.starter;
/** The amounts of the next automatic payout and of what it leaves for the plan, in cents. */
const nextPayout = async (by = world.harbor) => {
  const { amount, keptForPlan } = (await getPayoutBalance(by)).next;
  return [amount, keptForPlan];
};
const changePlanRow = (changes: Partial<typeof subscriptions.$inferInsert>) =>
  db()
    .update(subscriptions)
    .set(changes)
    .where(eq(subscriptions.accountId, world.accountId("harbor")));

test("a plan that is canceled or charged to a payment method leaves nothing in the balance", async () => {
  await changePlanRow({ cancelAtPeriodEnd: true });
  expect(await nextPayout()).toEqual([earned, 0]);
  await changePlanRow({ cancelAtPeriodEnd: false });
  await setPlanFunding(world.harbor, { payFrom: "payment_method" });
  expect(await nextPayout()).toEqual([earned, 0]);
  await setPlanFunding(world.harbor, { payFrom: "earnings" });
});

test("a publisher without earnings has none that stay for its plan", async () => {
  await setPlanFunding(world.fern, { payFrom: "earnings" });
  expect(await nextPayout(world.fern)).toEqual([0, 0]);
});

test("earnings that do not exceed the plan's next payment stay for it, and nothing is paid out", async () => {
  await changePlanRow({ planType: "enterprise" });
  expect(await nextPayout()).toEqual([0, earned]);
  world.setNow("2027-01-01T00:05:00Z");
  expect(await startMonthlyPayouts(world.job)).toBe(0);
  await changePlanRow({ planType: "starter" });
  await db().delete(payoutRuns);
});

test("the automatic payout leaves what the plan's next payment needs, in whole days of earnings", async () => {
  world.setNow("2026-12-31T12:00:00Z");
  // Two days of $70 cover the plan's $99.
  expect(await nextPayout()).toEqual([earned - 14_000, 14_000]);
  world.setNow("2027-01-01T00:05:00Z");
  expect(await startMonthlyPayouts(world.job)).toBe(1);
  const [payout] = (await listPayouts(world.harbor, { limit: 1 })).rows;
  const lines = await listPayoutLines(world.harbor, { id: payout?.id ?? expect.fail() });
  const sum = lines.reduce((total, line) => total + line.earnings, 0);
  expect([payout?.amount, sum]).toEqual([earned - 14_000, earned - 14_000]);
  expect(await checkLedger(world.job)).toEqual([]);

  world.setNow("2027-01-01T15:00:00Z");
  await renewDueSubscriptions(world.job);
  expect(await findSubscription(world.harbor)).toMatchObject({
    status: "active",
    periodEndsAt: new Date("2027-02-01T15:00:00Z"),
  });
  expect(await readPlanFunding(world.harbor)).toMatchObject({ available: 14_000 - planCents.starter });
  expect(await checkLedger(world.job)).toEqual([]);
});

test("days whose earnings a later refund takes back are not counted as left for the plan", async () => {
  while ((await sendDuePayouts(world.job)) > 0);
  for (const day of ["09", "10", "11", "12"]) await earn(`2027-01-${day}`);
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, running));
  const operator = { ...asOperator(), clock: world.clock };
  await refundSpend(operator, { lineItemId: item?.id ?? expect.fail(), amount: asCents(10_000) });
  world.setNow("2027-01-31T12:00:00Z");
  const { available, next } = await getPayoutBalance(world.harbor);
  // The refund takes the last day, so that three days cover $99 and not two.
  expect([available, next.amount]).toEqual([
    14_000 - planCents.starter + 3 * 7_000,
    14_000 - planCents.starter + 7_000,
  ]);
  world.setNow("2027-02-01T00:05:00Z");
  expect(await startMonthlyPayouts(world.job)).toBe(1);
  expect((await getPayoutBalance(world.harbor)).available).toBe(14_000);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("the balance and what it leaves for the plan are of one moment, also when earnings are refunded meanwhile", async () => {
  while ((await sendDuePayouts(world.job)) > 0);
  for (const day of ["10", "11", "12", "13"]) await earn(`2027-02-${day}`);
  world.setNow("2027-02-28T12:00:00Z");
  const before = await getPayoutBalance(world.harbor);
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, running));
  const lineItemId = item?.id ?? expect.fail();
  const operator = { ...asOperator(), clock: world.clock };
  let queries = 0;
  /** Refunds $100 between the query for the day of the payout and the one for the sums. */
  const refundingMeanwhile = (inner: Database): Database =>
    Object.create(inner, {
      transaction: {
        value: (work: (tx: Database) => Promise<unknown>, config: Parameters<Database["transaction"]>[1]) =>
          inner.transaction((tx) => work(refundingMeanwhile(tx)), config),
      },
      execute: {
        value: async (query: SQL) => {
          queries += 1;
          if (queries === 2) await refundSpend(operator, { lineItemId, amount: asCents(10_000) });
          return inner.execute(query);
        },
      },
    });
  const between = await getPayoutBalance({ ...world.harbor, db: refundingMeanwhile(db()) });
  const after = await getPayoutBalance(world.harbor);
  expect([before.available - after.available, queries]).toEqual([7_000, 2]);
  expect([before, after]).toContainEqual(between);
});
