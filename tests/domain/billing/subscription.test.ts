import { and, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSubscription, isCurrentSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import {
  createPlanPayment,
  requireDefaultMethod,
} from "#app/domain/billing/subscription/create-plan-payment.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { finishPlanChange } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { payPastDue } from "#app/domain/billing/subscription/pay-past-due.server.ts";
import { quotePlan } from "#app/domain/billing/subscription/quote-plan.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { newId, type PlanChangeId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import type { SandboxToken } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import { resolveSandboxPayment } from "#app/domain/payments/sandbox/sandbox-provider.server.ts";
import {
  auditEntries,
  ledgerTransactions,
  notifications,
  planChanges,
  subscriptions,
  transactions,
} from "#db/schema/index.ts";
import { newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { planCents, planDollars, planPrices } from "#tests/support/plan-prices.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let publisher: Ctx<PublisherActor>;
beforeAll(async () => {
  world = await createWorld(db());
});

/** A new publisher with a card and no plan, at noon of November 20. */
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  publisher = await newPublisher();
  await add("tok_visa");
});

async function newPublisher(): Promise<Ctx<PublisherActor>> {
  const { accountId, userId } = await newMember("publisher");
  return { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } };
}

const add = async (token: SandboxToken) => {
  const { id } = await addPaymentMethod(publisher, { token });
  await db().execute(
    sql`update payment_methods set is_default = false where account_id = ${publisher.actor.accountId}`,
  );
  await db().execute(sql`update payment_methods set is_default = true where id = ${id}`);
};
const choose = (planType: PlanType, more: { key?: string; amount?: number } = {}) =>
  changePlan(publisher, {
    planType,
    key: more.key ?? newId(),
    returnPath: () => "/publisher/billing",
    amount: more.amount === undefined ? undefined : asCents(more.amount),
  });
const currentPlan = async () => {
  const found = await findSubscription(publisher);
  return found && `${found.planType} ${found.status} until ${found.periodEndsAt.toISOString().slice(0, 10)}`;
};
const lines = async () => {
  const own = eq(transactions.accountId, publisher.actor.accountId);
  const rows = await db().select().from(transactions).where(own).orderBy(transactions.id);
  return rows.map(({ type, status, amountCents }) => `${type} ${status} ${amountCents / 100}`);
};
const booked = () =>
  db().$count(
    ledgerTransactions,
    sql`event = 'subscription' and id in (select ledger_transaction_id from transactions where account_id = ${publisher.actor.accountId})`,
  );
const planEvents = async () => {
  const own = and(eq(auditEntries.accountId, publisher.actor.accountId), eq(auditEntries.entity, "subscription"));
  const rows = await db().select().from(auditEntries).where(own).orderBy(auditEntries.id);
  return rows.map(({ action }) => action.replace("subscription.", ""));
};
const renew = () => renewDueSubscriptions(world.job);
const confirmOpen = async (confirmed: boolean) => {
  const [open] = await db().select().from(planChanges).where(eq(planChanges.accountId, publisher.actor.accountId));
  await resolveSandboxPayment(publisher, { id: open?.paymentId ?? "", confirmed });
};
const expectConsistentLedger = async () => {
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
};

describe("a plan", () => {
  test("starts with its payment, for a month, in the books once", async () => {
    expect(await quotePlan(publisher, { planType: "starter" })).toMatchObject({
      kind: "start",
      amount: planCents.starter,
    });
    expect(await choose("starter", { amount: planCents.starter })).toMatchObject({
      status: "succeeded",
      amount: planCents.starter,
    });
    expect(await currentPlan()).toBe("starter active until 2026-12-20");
    expect(await lines()).toEqual([`subscription succeeded ${planDollars.starter}`]);
    expect([await booked(), await planEvents()]).toEqual([1, ["payment_started", "started"]]);
    await expectConsistentLedger();
  });

  test("is not started with a declined card, without a card, or at another price than shown", async () => {
    await add("tok_declined");
    const failure = "The card was declined. Use another payment method or contact your bank.";
    expect(await choose("professional")).toMatchObject({ status: "failed", failure });
    expect(await currentPlan()).toBeUndefined();
    expect(await lines()).toEqual([`subscription failed ${planDollars.professional}`]);
    await add("tok_expired");
    await expectDomainError(choose("professional"), "invalid_transition", /expired/);
    expect(await domainErrorFrom(choose("professional", { amount: planCents.starter }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`price changed from ${planPrices.starter} to ${planPrices.professional}`),
    });
    publisher = await newPublisher();
    await expectDomainError(choose("starter"), "invalid_transition", /Add a payment method/);
    expect(await lines()).toEqual([]);
  });

  test("is upgraded at once for the prorated price that was shown", async () => {
    await choose("starter");
    world.advanceDays(10.5);
    const quote = await quotePlan(publisher, { planType: "enterprise" });
    const upgrade = Math.floor(((planCents.enterprise - planCents.starter) * 20) / 30);
    // Ten of thirty days have passed and the eleventh has begun, so that twenty remain.
    expect(quote).toMatchObject({
      kind: "upgrade",
      amount: upgrade,
      days: { all: 30, left: 20 },
      monthlyAmount: planCents.enterprise,
    });
    expect(await choose("enterprise", { amount: upgrade })).toMatchObject({ status: "succeeded" });
    expect(await currentPlan()).toBe("enterprise active until 2026-12-20");
    expect(await lines()).toEqual([
      `subscription succeeded ${planDollars.starter}`,
      `subscription succeeded ${upgrade / 100}`,
    ]);
    await expectConsistentLedger();
  });

  test("is downgraded only at the end of the period, and kept when it is chosen again before", async () => {
    await choose("enterprise");
    expect(await choose("starter")).toMatchObject({ status: "succeeded", amount: 0 });
    expect(await currentPlan()).toBe("enterprise active until 2026-12-20");
    expect((await findSubscription(publisher))?.next).toMatchObject({ planType: "starter", amount: planCents.starter });
    await choose("enterprise");
    expect((await findSubscription(publisher))?.next).toMatchObject({ planType: "enterprise" });
    await choose("professional");
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
    expect(await currentPlan()).toBe("professional active until 2027-01-20");
    expect(await lines()).toEqual([
      `subscription succeeded ${planDollars.enterprise}`,
      `subscription succeeded ${planDollars.professional}`,
    ]);
    await expectConsistentLedger();
  });

  test("that is canceled stays active until the end of the period, which can be undone, and then ends", async () => {
    await choose("professional");
    await cancelSubscription(publisher);
    await cancelSubscription(publisher);
    expect(await findSubscription(publisher)).toMatchObject({ cancelAtPeriodEnd: true, next: null, status: "active" });
    await choose("professional");
    expect(await findSubscription(publisher)).toMatchObject({ cancelAtPeriodEnd: false });
    await cancelSubscription(publisher);
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
    expect(await currentPlan()).toBeUndefined();
    expect(await lines()).toEqual([`subscription succeeded ${planDollars.professional}`]);
    await expectDomainError(cancelSubscription(publisher), "not_found");
    expect(await planEvents()).toEqual([
      "payment_started",
      "started",
      "canceled",
      "scheduled_change_undone",
      "canceled",
      "ended",
    ]);
    await choose("starter");
    expect(await currentPlan()).toBe("starter active until 2027-01-20");
  });

  test("is not upgraded after its period has ended, for nothing, which would undo its cancellation", async () => {
    await choose("starter");
    await cancelSubscription(publisher);
    world.setNow("2026-12-20T12:00:00Z");
    const message = /has ended, and the next one has not started yet/;
    expect(await quotePlan(publisher, { planType: "enterprise" })).toMatchObject({
      blocked: { code: "invalid_transition", reason: expect.stringMatching(message) },
    });
    await expectDomainError(choose("enterprise"), "invalid_transition", message);
    await renew();
    expect(await currentPlan()).toBeUndefined();
  });

  test("chosen with the same key starts once, and with the key of another choice not at all", async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => choose("starter", { key: "same" })));
    expect(new Set(results.map(({ id, status }) => `${id} ${status}`)).size).toBe(1);
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    await choose("professional", { key: "then" });
    await choose("starter", { key: "same" });
    expect(await currentPlan()).toBe("professional active until 2026-12-20");
    expect((await findSubscription(publisher))?.nextPlanType).toBeNull();
    await expectDomainError(choose("enterprise", { key: "same" }), "idempotency_conflict");
    await expectDomainError(payPastDue(publisher, { key: "same", returnPath: () => "/" }), "idempotency_conflict");
  });

  test("is upgraded once by twelve concurrent requests, each with a key of its own", async () => {
    await choose("starter");
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => choose("professional")));
    for (const one of results)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_transition" });
    expect(await currentPlan()).toBe("professional active until 2026-12-20");
    expect(await lines()).toEqual([
      `subscription succeeded ${planDollars.starter}`,
      `subscription succeeded ${planDollars.professional - planDollars.starter}`,
    ]);
    await expectConsistentLedger();
  });

  test("of another account stays, and its payment does not exist", async () => {
    const { id } = await choose("starter");
    const other = await newPublisher();
    await expectDomainError(finishPlanChange(other, { id }), "not_found");
    await expectDomainError(cancelSubscription(other), "not_found");
    expect(await currentPlan()).toBe("starter active until 2026-12-20");
  });
});

describe("a payment that has to be confirmed", () => {
  beforeEach(() => add("tok_confirmation"));

  test("waits, and the plan starts when the person confirms", async () => {
    const asked = await choose("starter");
    expect(asked).toMatchObject({ status: "needs_confirmation", confirmUrl: expect.stringContaining("/confirm/") });
    expect([await currentPlan(), await lines()]).toEqual([undefined, [`subscription pending ${planDollars.starter}`]]);
    world.advanceDays(0.5);
    await confirmOpen(true);
    await Promise.all([finishPlanChange(publisher, asked), finishDuePlanChanges(world.job)]);
    expect(await currentPlan()).toBe("starter active until 2026-12-21");
    expect([await lines(), await booked()]).toEqual([[`subscription succeeded ${planDollars.starter}`], 1]);
    await expectConsistentLedger();
  });

  test("is canceled by another choice, and by the job after a day", async () => {
    await choose("starter");
    await choose("professional");
    expect(await lines()).toEqual([
      `subscription canceled ${planDollars.starter}`,
      `subscription pending ${planDollars.professional}`,
    ]);
    world.advanceDays(1.1);
    await finishDuePlanChanges(world.job);
    expect(await lines()).toEqual([
      `subscription canceled ${planDollars.starter}`,
      `subscription canceled ${planDollars.professional}`,
    ]);
    expect(await currentPlan()).toBeUndefined();
    await expectConsistentLedger();
  });

  test("of a renewal leaves the plan past due until it is confirmed", async () => {
    await add("tok_visa");
    await choose("starter");
    await add("tok_confirmation");
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
    const found = await findSubscription(publisher);
    expect(found).toMatchObject({ status: "past_due", overdue: { confirmUrl: expect.stringContaining("/confirm/") } });
    const open = await db().select().from(planChanges).where(eq(planChanges.status, "needs_confirmation"));
    await resolveSandboxPayment(publisher, { id: open[0]?.paymentId ?? "", confirmed: true });
    world.advanceDays(0.1);
    await finishDuePlanChanges(world.job);
    expect(await currentPlan()).toBe("starter active until 2027-01-20");
    expect((await findSubscription(publisher))?.overdue).toBeNull();
  });
});

test("a payment interrupted between the charge and the books is finished by the job, by three processes at once, once", async () => {
  const id = newId<PlanChangeId>();
  const { accountId } = publisher.actor;
  await createPlanPayment(publisher, {
    id,
    accountId,
    subscriptionId: null,
    kind: "start",
    planType: "starter",
    amount: planCents.starter,
    periodStartedAt: null,
    description: "Starter plan",
    key: "cut",
    returnPath: "/back",
    method: await requireDefaultMethod(publisher),
  });
  // The provider processed the request, but its response was lost.
  const request = {
    amount: planCents.starter,
    token: "tok_visa",
    description: "Endcap Starter plan",
    returnPath: "/back",
  } as const;
  await paymentProvider(publisher).charge({ ...request, key: `subscription/${id}` });
  world.advanceDays(0.01);
  const ended = await Promise.all([1, 2, 3].map(() => finishDuePlanChanges(world.job)));
  expect(ended.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect([await currentPlan(), await lines(), await booked()]).toEqual([
    ...["starter active until 2026-12-20", [`subscription succeeded ${planDollars.starter}`]],
    1,
  ]);
  await expectConsistentLedger();
});

describe("a renewal", () => {
  test("is charged once, by three processes at once, and not again", async () => {
    await choose("starter");
    world.setNow("2026-12-20T12:00:01Z");
    await Promise.all([renew(), renew(), renew()]);
    await renew();
    expect(await currentPlan()).toBe("starter active until 2027-01-20");
    expect([await lines(), await booked()]).toEqual([
      [`subscription succeeded ${planDollars.starter}`, `subscription succeeded ${planDollars.starter}`],
      2,
    ]);
    await expectConsistentLedger();
  });

  test("keeps the day of the month, also over short months, and charges nothing for months without a process", async () => {
    world.setNow("2027-01-31T08:00:00Z");
    await choose("starter");
    const ends: (string | undefined)[] = [];
    for (const day of ["2027-02-28", "2027-03-31", "2027-04-30"]) {
      ends.push(await currentPlan());
      world.setNow(`${day}T08:00:00Z`);
      await renew();
    }
    expect(ends.map((one) => one?.slice(-10))).toEqual(["2027-02-28", "2027-03-31", "2027-04-30"]);
    world.setNow("2027-09-12T08:00:00Z");
    await renew();
    expect(await currentPlan()).toBe("starter active until 2027-10-12");
    expect(await lines()).toHaveLength(5);
    await expectConsistentLedger();
  });
});

test("a renewal without a payment method fails for that, also where one is added before it is finished", async () => {
  await choose("starter");
  const subscription = await findSubscription(publisher);
  const id = newId<PlanChangeId>();
  await createPlanPayment(publisher, {
    id,
    accountId: publisher.actor.accountId,
    subscriptionId: subscription?.id ?? null,
    kind: "renewal",
    planType: "starter",
    amount: planCents.starter,
    periodStartedAt: subscription?.periodEndsAt ?? null,
    description: "Starter plan",
    key: "renewal/none",
    returnPath: "/back",
    method: undefined,
  });
  expect(await finishPlanChange(publisher, { id })).toMatchObject({
    failure: "There is no valid payment method to charge. Add one and pay again.",
  });
});

describe("a renewal that is not paid", () => {
  /** Makes the plan due with a card that is declined. */
  beforeEach(async () => {
    await choose("professional");
    await add("tok_insufficient_funds");
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
  });
  const attempts = async () => (await lines()).length - 1;

  test("is retried on days 1, 3 and 7, and then the plan ends", async () => {
    expect(await findSubscription(publisher)).toMatchObject({
      status: "past_due",
      next: null,
      overdue: {
        amount: planCents.professional,
        reason: "The card has insufficient funds. Use another payment method.",
      },
    });
    const seen: number[] = [];
    for (let hour = 0; hour <= 24 * 8; hour += 6) {
      world.setNow(new Date(Date.parse("2026-12-20T12:00:00Z") + hour * 3_600_000).toISOString());
      await Promise.all([renew(), renew()]);
      seen.push(await attempts());
    }
    expect([0, 4, 8, 12, 16, 24, 27, 28, 32].map((turn) => seen[turn])).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4]);
    expect(await currentPlan()).toBeUndefined();
    expect((await planEvents()).slice(-2)).toEqual(["payment_started", "ended"]);
    await expectConsistentLedger();
  });

  test("notifies the publisher, and so does the end, with a link to the solution", async () => {
    world.advanceDays(8);
    await renew();
    const rows = await db()
      .select()
      .from(notifications)
      .where(eq(notifications.accountId, publisher.actor.accountId))
      .orderBy(notifications.id);
    const descriptions = rows.map((row) => describeNotification(row, "publisher"));
    expect(descriptions.map(({ title }) => title).slice(-3)).toEqual([
      "Your Professional plan is active",
      `Your plan payment of ${planPrices.professional} failed`,
      "Your Professional plan has ended",
    ]);
    expect(descriptions.at(-2)?.lines[0]).toContain("We'll try the payment again on 2026-12-21 12:00 UTC.");
    expect(descriptions.at(-1)).toMatchObject({
      lines: expect.arrayContaining(["Your plan was past due, and no payment for it succeeded by its end."]),
      quote: expect.stringContaining("insufficient"),
      path: "/billing?tab=subscription",
    });
  });

  test("keeps the plan and its limit meanwhile, and accepts no other choice", async () => {
    expect(await currentPlan()).toMatch(/^professional past_due/);
    await expectDomainError(choose("enterprise"), "invalid_transition", /Pay it first/);
    await cancelSubscription(publisher);
    expect(await currentPlan()).toBeUndefined();
  });

  test("is resolved by paying now, for the open period", async () => {
    const pay = (key: string) => payPastDue(publisher, { key, returnPath: () => "/publisher/billing" });
    expect(await pay("first")).toMatchObject({ status: "failed" });
    await add("tok_mastercard");
    world.advanceDays(2);
    const results = await Promise.all([pay("second"), pay("second")]);
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(await currentPlan()).toBe("professional active until 2027-01-20");
    await expectDomainError(pay("third"), "invalid_transition", /No plan payment is due/);
    expect(await booked()).toBe(2);
    await expectConsistentLedger();
  });

  test("is retried automatically with another payment method", async () => {
    world.advanceDays(0.2);
    await addPaymentMethod(publisher, { token: "tok_mastercard" });
    await renew();
    expect(await currentPlan()).toBe("professional active until 2027-01-20");
  });
});

describe("the limit of campaigns", () => {
  beforeEach(async () => {
    publisher = world.harbor;
    await world.subscribe("harbor", "professional");
    await db().execute(sql`update line_items set completed_at = now() where completed_at is null`);
  });
  const running = async (count: number) => {
    for (let made = 0; made < count; made += 1) await world.aRunningCampaign();
  };

  const becomeDue = (nextPlanType?: PlanType) =>
    db()
      .update(subscriptions)
      .set({ nextPlanType, dueAt: world.clock(), periodEndsAt: world.clock(), periodStartedAt: new Date("2026-10-20") })
      .where(isCurrentSubscription(publisher.actor.accountId));

  test("rejects a plan that is too small for the running campaigns, with the reason", async () => {
    await running(6);
    await expectDomainError(choose("starter"), "limit_reached", /You run 6 campaigns, but the Starter plan allows 5\./);
    expect(await quotePlan(publisher, { planType: "starter" })).toMatchObject({
      blocked: { code: "limit_reached", reason: expect.stringContaining("one of them") },
    });
  });

  test("rejects such a plan with the same code after the period has ended, until the next one starts", async () => {
    await running(6);
    await becomeDue();
    await expectDomainError(choose("starter"), "limit_reached", /You run 6 campaigns/);
  });

  test("is checked again at the downgrade: if too many campaigns run by then, the plan stays", async () => {
    await add("tok_visa");
    await running(5);
    await choose("starter");
    await running(1);
    await becomeDue();
    await renew();
    expect((await findSubscription(publisher))?.planType).toBe("professional");
    expect(await planEvents()).toContain("downgrade_skipped");
  });

  test("applies when a plan is downgraded while a campaign is approved", async () => {
    for (let round = 0; round < 4; round += 1) {
      await world.subscribe("harbor", "professional");
      await db().execute(sql`update line_items set completed_at = now() where completed_at is null`);
      await running(5);
      const id = await world.aLaunchedCampaign();
      await becomeDue("starter");
      await Promise.allSettled([reviewCampaign(world.harbor, { id, action: "approve" }), renew()]);
      const fits = (await findSubscription(publisher))?.planType === "professional";
      expect(await world.lineItemStatus(world.harbor, id)).toBe(fits ? "approved active" : "pending pending");
      expect(await findBrokenInvariants(db())).toEqual({});
    }
  });
});
