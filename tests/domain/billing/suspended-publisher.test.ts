import { and, desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { cancelPlan } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { notifications, subscriptions } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitUntilBlockedOrDone } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
const accountId = () => world.accountId("harbor");
const operator = () => ({ ...asOperator(), clock: world.clock });
const renew = () => renewDueSubscriptions(world.job);
const plan = async () => {
  const found = await findSubscription(world.harbor);
  return found && `${found.status} until ${found.periodEndsAt.toISOString().slice(0, 10)}`;
};
const end = async () => {
  const isEnd = and(eq(notifications.accountId, accountId()), eq(notifications.event, "subscription_ended"));
  const [row] = await db().select().from(notifications).where(isEnd).orderBy(desc(notifications.id)).limit(1);
  return row && describeNotification(row, "publisher").lines[0];
};

/** Harbor Goods earned $140, of which all is released on December 10, and its plan is renewed on December 20. */
beforeAll(async () => {
  world = await createWorld(db());
  world.setNow("2026-11-20T12:00:00Z");
  await world.subscribe("harbor", "starter");
  await db()
    .update(subscriptions)
    .set({ periodEndsAt: new Date("2026-12-20T12:00:00Z"), dueAt: new Date("2026-12-20T12:00:00Z") })
    .where(eq(subscriptions.accountId, accountId()));
  await addPaymentMethod(world.harbor, { token: "tok_visa" });
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
  const running = await world.aRunningCampaign({
    changes: { start_date: "2026-11-20", end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 },
  });
  await world.deliver(running, { spendMicros: 200_000_000 });
  world.advanceDays(1);
  await settleDelivery(world.job);
});

test("a suspended publisher is neither charged for its plan nor paid out, until it is approved again", async () => {
  await suspendAccount(operator(), { accountId: accountId() });
  await expectDomainError(
    requestErasure(world.harbor, { userId: world.harbor.actor.userId ?? expect.fail() }),
    "invalid_transition",
    /Earnings are not paid out yet\. Reply to any of our emails.+ Your plan is active\. Reply to any of our emails/,
  );
  world.setNow("2027-01-01T12:00:00Z");
  await Promise.all([renew(), startMonthlyPayouts(world.job)]);
  expect([await plan(), (await getPayoutBalance(world.harbor)).inTransit]).toEqual(["active until 2026-12-20", 0]);

  await approveAccount(operator(), { accountId: accountId() });
  await renew();
  // The days of the suspension are not paid for: the next period begins with the approval.
  expect(await plan()).toBe("active until 2027-02-01");
  world.setNow("2027-02-01T12:00:00Z");
  await startMonthlyPayouts(world.job);
  expect((await getPayoutBalance(world.harbor)).inTransit).toBe(14_000);
});

test("a publisher that is suspended after the due plans were listed is not charged", async () => {
  let renewal: Promise<unknown> = Promise.resolve();
  await db().transaction(async (tx) => {
    await suspendAccount({ ...operator(), db: tx }, { accountId: accountId() });
    renewal = renew();
    await waitUntilBlockedOrDone(db(), renewal);
  });
  await renewal;
  expect(await plan()).toBe("active until 2027-02-01");
  await approveAccount(operator(), { accountId: accountId() });
  await renew();
  expect(await plan()).toBe("active until 2027-03-01");
});

test("an operator cancels the plan of a suspended publisher, which then ends with its period", async () => {
  await renew();
  await suspendAccount(operator(), { accountId: accountId() });
  const endsAt = new Date("2027-03-01T12:00:00Z");
  for (const _ of [1, 2]) expect(await cancelPlan(operator(), { accountId: accountId() })).toEqual({ endsAt });
  world.setNow("2027-03-01T12:00:00Z");
  await renew();
  expect([await plan(), await end()]).toEqual([undefined, "Your plan was canceled and ended with its billing period."]);
  await expectDomainError(cancelPlan(operator(), { accountId: accountId() }), "not_found");
});

test("an operator ends a past-due plan at once, and the publisher is notified", async () => {
  await world.subscribe("harbor", "starter");
  await db()
    .update(subscriptions)
    .set({ status: "past_due", pastDueSince: world.clock() })
    .where(eq(subscriptions.status, "active"));
  expect(await cancelPlan(operator(), { accountId: accountId() })).toEqual({ endsAt: world.clock() });
  expect([await plan(), await end()]).toEqual([
    undefined,
    "We canceled your plan, whose payment was past due. You won't be charged for it again.",
  ]);
});

test("a plan that was past due at the suspension has its week again from the approval on", async () => {
  await approveAccount(operator(), { accountId: accountId() });
  await world.subscribe("harbor", "starter");
  const { id } = await addPaymentMethod(world.harbor, { token: "tok_insufficient_funds" });
  await setDefaultPaymentMethod(world.harbor, { id });
  world.setNow("2027-04-01T12:00:00Z");
  await renew();
  world.advanceDays(2);
  await suspendAccount(operator(), { accountId: accountId() });
  world.advanceDays(20);
  await approveAccount(operator(), { accountId: accountId() });
  await renew();
  expect(await findSubscription(world.harbor)).toMatchObject({
    status: "past_due",
    overdue: {
      since: world.clock(),
      nextTryAt: new Date("2027-04-24T12:00:00Z"),
      endsAt: new Date("2027-04-30T12:00:00Z"),
    },
  });
  world.advanceDays(6.9);
  await renew();
  await addPaymentMethod(world.harbor, { token: "tok_visa" });
  await renew();
  expect(await plan()).toBe("active until 2027-05-23");
});
