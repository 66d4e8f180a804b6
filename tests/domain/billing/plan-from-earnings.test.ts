import { and, desc, eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { readPlanFunding, setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { newId } from "#app/domain/ids.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { notifications, sandboxPayments, subscriptions, transactions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { planCents, planDollars } from "#tests/support/plan-prices.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let running: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
  world.setNow("2026-11-20T12:00:00Z");
  const changes = { start_date: "2026-11-20", end_date: "2029-12-31", budget: 900_000, daily_budget: 9_000 };
  running = await world.aRunningCampaign({ changes });
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
});
/** A publisher without a plan. */
beforeEach(async () => {
  await db()
    .update(subscriptions)
    .set({ status: "canceled", dueAt: null })
    .where(eq(subscriptions.accountId, world.harbor.actor.accountId));
  await setPlanFunding(world.harbor, { payFrom: "earnings" });
});

/** Settles this spend, of which the publisher earns 70%, and ends the holding period. */
async function release(dollars: number): Promise<void> {
  const today = world.clock().toISOString().slice(0, 10) as CalendarDate;
  await world.deliver(running, { day: today, spendMicros: dollars * 1e6 });
  world.advanceDays(9);
  await settleDelivery(world.job);
  world.advanceDays(9);
}
/** Pays out the whole balance, so that each test begins with an empty one. */
async function payOutBalance(): Promise<void> {
  const { available } = await readPlanFunding(world.harbor);
  if (available >= 5_000) await requestPayout(world.harbor, {});
  for (const _ of [1, 2]) await sendDuePayouts(world.job);
}
const choose = (planType: PlanType) =>
  changePlan(world.harbor, { planType, key: newId(), returnPath: () => "/publisher/billing" });
/** In cents. */
const available = async (): Promise<number> => (await readPlanFunding(world.harbor)).available;
const charged = () => db().$count(sandboxPayments);
const plan = async () => {
  const found = await findSubscription(world.harbor);
  return found && `${found.planType} ${found.status}`;
};
const lines = async () => {
  const own = and(eq(transactions.accountId, world.harbor.actor.accountId), eq(transactions.type, "subscription"));
  return (await db().select().from(transactions).where(own).orderBy(transactions.id)).map(
    ({ status, amountCents, description }) => `${status} ${amountCents / 100} ${description}`,
  );
};
const expectConsistentLedger = async () => expect(await checkLedger(world.job)).toEqual([]);

test("a plan, its upgrade and its renewal are paid in full from released earnings, and the payout lists them", async () => {
  await release(1_000);
  const before = await charged();
  const earned = (await getPayoutBalance(world.harbor)).earned;
  expect(await choose("starter")).toMatchObject({ status: "succeeded", amount: planCents.starter });
  expect([await plan(), await available()]).toEqual(["starter active", 70_000 - planCents.starter]);
  const isStart = and(
    eq(notifications.accountId, world.harbor.actor.accountId),
    eq(notifications.event, "subscription_changed"),
  );
  const [notice] = await db().select().from(notifications).where(isStart).orderBy(desc(notifications.id)).limit(1);
  expect(describeNotification(notice ?? expect.fail(), "publisher").lines[0]).toMatch(/was paid from your earnings/);
  world.advanceDays(1);
  const { amount } = await choose("professional");
  expect(amount).toBeGreaterThan(15_000);
  expect(await available()).toBe(70_000 - planCents.starter - amount);
  expect(await charged()).toBe(before);
  expect((await lines()).slice(-2)).toEqual([
    `succeeded ${planDollars.starter} Starter plan, paid from earnings`,
    `succeeded ${amount / 100} Upgrade to the Professional plan, paid from earnings`,
  ]);
  expect(await getPayoutBalance(world.harbor)).toMatchObject({ earned, netted: planCents.starter + amount });
  await expectConsistentLedger();
  const { id } = await requestPayout(world.harbor, {});
  const netted = (await listPayoutLines(world.harbor, { id })).filter(({ earnings }) => earnings < 0);
  expect(netted.map(({ campaignName, earnings }) => [campaignName, earnings])).toEqual([
    ["Starter plan, paid from earnings", -planCents.starter],
    ["Professional plan, paid from earnings", -amount],
  ]);
  expect(await getPayout(world.harbor, id)).toMatchObject({ amount: 70_000 - planCents.starter - amount });
  await expectConsistentLedger();
  await payOutBalance();
  expect(await available()).toBe(0);
  await expectConsistentLedger();
});

test("a returned payout releases its lines, plans included", async () => {
  await release(500);
  await choose("starter");
  await setPayoutAccount(world.harbor, { token: "bank_closed" });
  await requestPayout(world.harbor, {});
  expect(await available()).toBe(0);
  for (const _ of [1, 2]) await sendDuePayouts(world.job);
  expect(await available()).toBe(35_000 - planCents.starter);
  await expectConsistentLedger();
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
  await payOutBalance();
});

test("earnings that do not cover the whole price are not used: the payment method is charged, and without one nothing starts", async () => {
  await release(140);
  await expectDomainError(choose("starter"), "invalid_transition", /Add a payment method/);
  expect([await plan(), await available()]).toEqual([undefined, 9_800]);
  await addPaymentMethod(world.harbor, { token: "tok_visa" });
  const before = await charged();
  await choose("starter");
  expect([await plan(), await available(), (await charged()) - before]).toEqual(["starter active", 9_800, 1]);
  // The renewal finds enough, and the next one does not.
  await release(20);
  world.advanceDays(20);
  await renewDueSubscriptions(world.job);
  expect([await plan(), await available(), (await charged()) - before]).toEqual(["starter active", 1_300, 1]);
  world.advanceDays(31);
  await renewDueSubscriptions(world.job);
  expect([await plan(), await available(), (await charged()) - before]).toEqual(["starter active", 1_300, 2]);
  await setPlanFunding(world.harbor, { payFrom: "payment_method" });
  await release(300);
  world.advanceDays(31);
  await renewDueSubscriptions(world.job);
  expect([await available(), (await charged()) - before]).toEqual([22_300, 3]);
  await expectConsistentLedger();
  await cancelSubscription(world.harbor);
  await payOutBalance();
});

test("a payout and a plan payment at once never use the same earnings: the second gets what the first left", async () => {
  await addPaymentMethod(world.harbor, { token: "tok_visa" });
  for (let round = 0; round < 6; round += 1) {
    await release(300);
    const had = await available();
    const first = round % 2 === 0 ? choose("starter") : requestPayout(world.harbor, {});
    const second = round % 2 === 0 ? requestPayout(world.harbor, {}) : choose("starter");
    await Promise.all([first, second]);
    const { inTransit } = await getPayoutBalance(world.harbor);
    expect([0, -planCents.starter]).toContain(inTransit - had);
    expect(await available()).toBe(0);
    await expectConsistentLedger();
    for (const _ of [1, 2]) await sendDuePayouts(world.job);
    await db()
      .update(subscriptions)
      .set({ status: "canceled", dueAt: null })
      .where(eq(subscriptions.accountId, world.harbor.actor.accountId));
  }
  await expectConsistentLedger();
});
