import { and, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { currentOf, findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { paymentProvider } from "#app/domain/billing/payments/provider-of.server.ts";
import type { SandboxToken } from "#app/domain/billing/payments/sandbox-cards.ts";
import { endPayment } from "#app/domain/billing/payments/sandbox-provider.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { finishPlanChange } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { insertPayment, requireMethod } from "#app/domain/billing/subscription/insert-payment.server.ts";
import { payOverdue } from "#app/domain/billing/subscription/pay-overdue.server.ts";
import { quotePlan } from "#app/domain/billing/subscription/quote-plan.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { newId, type PlanChangeId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";
import {
  auditEntries,
  ledgerTransactions,
  notifications,
  planChanges,
  subscriptions,
  transactions,
} from "#db/schema/index.ts";
import { newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let publisher: Ctx<PublisherActor>;
beforeAll(async () => {
  world = await makeWorld(db());
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
    amount: more.amount === undefined ? undefined : toCents(more.amount),
  });
const held = async () => {
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
const told = async () => {
  const own = and(eq(auditEntries.accountId, publisher.actor.accountId), eq(auditEntries.entity, "subscription"));
  const rows = await db().select().from(auditEntries).where(own).orderBy(auditEntries.id);
  return rows.map(({ action }) => action.replace("subscription.", ""));
};
const renew = () => renewDueSubscriptions(world.job);
const confirmOpen = async (confirmed: boolean) => {
  const [open] = await db().select().from(planChanges).where(eq(planChanges.accountId, publisher.actor.accountId));
  await endPayment(publisher, { id: open?.paymentId ?? "", confirmed });
};
const settled = async () => {
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
};

describe("a plan", () => {
  test("begins with its payment, for a month, in the books once", async () => {
    expect(await quotePlan(publisher, { planType: "starter" })).toMatchObject({ kind: "start", amount: 9_900 });
    expect(await choose("starter", { amount: 9_900 })).toMatchObject({ status: "succeeded", amount: 9_900 });
    expect(await held()).toBe("starter active until 2026-12-20");
    expect(await lines()).toEqual(["subscription succeeded 99"]);
    expect([await booked(), await told()]).toEqual([1, ["payment_started", "started"]]);
    await settled();
  });

  test("is not begun by a card that is declined, by none, or at another price than was said", async () => {
    await add("tok_declined");
    const failure = "The card was declined. Use another payment method, or ask the bank that issued it.";
    expect(await choose("professional")).toMatchObject({ status: "failed", failure });
    expect(await held()).toBeUndefined();
    expect(await lines()).toEqual(["subscription failed 299"]);
    await add("tok_expired");
    await expectRefusal(choose("professional"), "invalid_transition", /expired/);
    await expectRefusal(
      choose("professional", { amount: 9_900 }),
      "invalid_input",
      /costs \$299\.00 now, not \$99\.00/,
    );
    publisher = await newPublisher();
    await expectRefusal(choose("starter"), "invalid_transition", /Add a payment method/);
    expect(await lines()).toEqual([]);
  });

  test("grows at once for the part of the difference that the days left are, as was said", async () => {
    await choose("starter");
    world.passDays(10.5);
    const quote = await quotePlan(publisher, { planType: "enterprise" });
    // Of thirty days ten are over and the eleventh has begun: twenty are left with it.
    expect(quote).toMatchObject({
      kind: "upgrade",
      amount: 60_000,
      days: { all: 30, left: 20 },
      monthlyAmount: 99_900,
    });
    expect(await choose("enterprise", { amount: 60_000 })).toMatchObject({ status: "succeeded" });
    expect(await held()).toBe("enterprise active until 2026-12-20");
    expect(await lines()).toEqual(["subscription succeeded 99", "subscription succeeded 600"]);
    await settled();
  });

  test("gets smaller only at the period's end, and stays when it is chosen again before", async () => {
    await choose("enterprise");
    expect(await choose("starter")).toMatchObject({ status: "succeeded", amount: 0 });
    expect(await held()).toBe("enterprise active until 2026-12-20");
    expect((await findSubscription(publisher))?.next).toMatchObject({ planType: "starter", amount: 9_900 });
    await choose("enterprise");
    expect((await findSubscription(publisher))?.next).toMatchObject({ planType: "enterprise" });
    await choose("professional");
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
    expect(await held()).toBe("professional active until 2027-01-20");
    expect(await lines()).toEqual(["subscription succeeded 999", "subscription succeeded 299"]);
    await settled();
  });

  test("that is canceled holds until the period's end, which can be taken back, and is over then", async () => {
    await choose("professional");
    await cancelSubscription(publisher);
    await cancelSubscription(publisher);
    expect(await findSubscription(publisher)).toMatchObject({ cancelAtPeriodEnd: true, next: null, status: "active" });
    await choose("professional");
    expect(await findSubscription(publisher)).toMatchObject({ cancelAtPeriodEnd: false });
    await cancelSubscription(publisher);
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
    expect(await held()).toBeUndefined();
    expect(await lines()).toEqual(["subscription succeeded 299"]);
    await expectRefusal(cancelSubscription(publisher), "not_found");
    expect(await told()).toEqual(["payment_started", "started", "canceled", "kept", "canceled", "ended"]);
    await choose("starter");
    expect(await held()).toBe("starter active until 2027-01-20");
  });

  test("chosen by the same key happens once, and by the key of another choice not at all", async () => {
    const done = await Promise.all(Array.from({ length: 12 }, () => choose("starter", { key: "same" })));
    expect(new Set(done.map(({ id, status }) => `${id} ${status}`)).size).toBe(1);
    expect(done.filter(({ repeated }) => !repeated)).toHaveLength(1);
    await choose("professional", { key: "then" });
    await choose("starter", { key: "same" });
    expect(await held()).toBe("professional active until 2026-12-20");
    expect((await findSubscription(publisher))?.nextPlanType).toBeNull();
    await expectRefusal(choose("enterprise", { key: "same" }), "idempotency_conflict");
    await expectRefusal(payOverdue(publisher, { key: "same", returnPath: () => "/" }), "idempotency_conflict");
  });

  test("grows once when twelve want it at once, each with a key of its own", async () => {
    await choose("starter");
    const done = await Promise.allSettled(Array.from({ length: 12 }, () => choose("professional")));
    for (const one of done)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_transition" });
    expect(await held()).toBe("professional active until 2026-12-20");
    expect(await lines()).toEqual(["subscription succeeded 99", "subscription succeeded 200"]);
    await settled();
  });

  test("another's payment is not there, and another's plan stays", async () => {
    const { id } = await choose("starter");
    const other = await newPublisher();
    await expectRefusal(finishPlanChange(other, { id }), "not_found");
    await expectRefusal(cancelSubscription(other), "not_found");
    expect(await held()).toBe("starter active until 2026-12-20");
  });
});

describe("a payment that has to be confirmed", () => {
  beforeEach(() => add("tok_confirmation"));

  test("waits, and the plan begins when the person says yes", async () => {
    const asked = await choose("starter");
    expect(asked).toMatchObject({ status: "needs_confirmation", confirmUrl: expect.stringContaining("/confirm/") });
    expect([await held(), await lines()]).toEqual([undefined, ["subscription pending 99"]]);
    world.passDays(0.5);
    await confirmOpen(true);
    await Promise.all([finishPlanChange(publisher, asked), finishDuePlanChanges(world.job)]);
    expect(await held()).toBe("starter active until 2026-12-21");
    expect([await lines(), await booked()]).toEqual([["subscription succeeded 99"], 1]);
    await settled();
  });

  test("is called off by another choice, and by the job after a day", async () => {
    await choose("starter");
    await choose("professional");
    expect(await lines()).toEqual(["subscription canceled 99", "subscription pending 299"]);
    world.passDays(1.1);
    await finishDuePlanChanges(world.job);
    expect(await lines()).toEqual(["subscription canceled 99", "subscription canceled 299"]);
    expect(await held()).toBeUndefined();
    await settled();
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
    await endPayment(publisher, { id: open[0]?.paymentId ?? "", confirmed: true });
    world.passDays(0.1);
    await finishDuePlanChanges(world.job);
    expect(await held()).toBe("starter active until 2027-01-20");
    expect((await findSubscription(publisher))?.overdue).toBeNull();
  });
});

test("what is cut off between the charge and the books is finished by the job, by three processes at once, once", async () => {
  const id = newId<PlanChangeId>();
  const { accountId } = publisher.actor;
  await insertPayment(publisher, {
    id,
    accountId,
    subscriptionId: null,
    kind: "start",
    planType: "starter",
    amount: toCents(9_900),
    periodStartedAt: null,
    words: "Starter plan",
    key: "cut",
    returnPath: "/back",
    method: await requireMethod(publisher),
  });
  // The provider was reached, and its answer was not.
  const request = {
    amount: 9_900,
    token: "tok_visa",
    description: "Endcap Starter plan",
    returnPath: "/back",
  } as const;
  await paymentProvider(publisher).charge({ ...request, key: `subscription/${id}` });
  world.passDays(0.01);
  const ended = await Promise.all([1, 2, 3].map(() => finishDuePlanChanges(world.job)));
  expect(ended.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect([await held(), await lines(), await booked()]).toEqual([
    ...["starter active until 2026-12-20", ["subscription succeeded 99"]],
    1,
  ]);
  await settled();
});

describe("a renewal", () => {
  test("takes the money once, by three processes at once, and not again when asked again", async () => {
    await choose("starter");
    world.setNow("2026-12-20T12:00:01Z");
    await Promise.all([renew(), renew(), renew()]);
    await renew();
    expect(await held()).toBe("starter active until 2027-01-20");
    expect([await lines(), await booked()]).toEqual([["subscription succeeded 99", "subscription succeeded 99"], 2]);
    await settled();
  });

  test("keeps the day of the month, also over short months, and asks nothing for months in which nothing ran", async () => {
    world.setNow("2027-01-31T08:00:00Z");
    await choose("starter");
    const ends: (string | undefined)[] = [];
    for (const day of ["2027-02-28", "2027-03-31", "2027-04-30"]) {
      ends.push(await held());
      world.setNow(`${day}T08:00:00Z`);
      await renew();
    }
    expect(ends.map((one) => one?.slice(-10))).toEqual(["2027-02-28", "2027-03-31", "2027-04-30"]);
    world.setNow("2027-09-12T08:00:00Z");
    await renew();
    expect(await held()).toBe("starter active until 2027-10-12");
    expect(await lines()).toHaveLength(5);
    await settled();
  });
});

describe("a renewal that is not paid", () => {
  /** The plan is due, and its card is refused. */
  beforeEach(async () => {
    await choose("professional");
    await add("tok_insufficient_funds");
    world.setNow("2026-12-20T12:00:00Z");
    await renew();
  });
  const attempts = async () => (await lines()).length - 1;

  test("is tried again on days 1, 3 and 7, and then the plan is over", async () => {
    expect(await findSubscription(publisher)).toMatchObject({
      status: "past_due",
      next: null,
      overdue: { amount: 29_900, reason: "The card has insufficient funds. Use another payment method." },
    });
    const seen: number[] = [];
    for (let hour = 0; hour <= 24 * 8; hour += 6) {
      world.setNow(new Date(Date.parse("2026-12-20T12:00:00Z") + hour * 3_600_000).toISOString());
      await Promise.all([renew(), renew()]);
      seen.push(await attempts());
    }
    expect([0, 4, 8, 12, 16, 24, 27, 28, 32].map((turn) => seen[turn])).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4]);
    expect(await held()).toBeUndefined();
    expect((await told()).slice(-2)).toEqual(["payment_started", "ended"]);
    await settled();
  });

  test("is told to the publisher, and so is its end, with the way to mend it", async () => {
    world.passDays(8);
    await renew();
    const rows = await db()
      .select()
      .from(notifications)
      .where(eq(notifications.accountId, publisher.actor.accountId))
      .orderBy(notifications.id);
    const words = rows.map((row) => wordsOf(row, "publisher"));
    expect(words.map(({ title }) => title).slice(-3)).toEqual([
      "Your Professional plan is active",
      "The payment of $299.00 for your plan failed",
      "Your Professional plan has ended",
    ]);
    expect(words.at(-2)?.lines[0]).toContain("The payment is tried again on 2026-12-21 12:00 UTC.");
    expect(words.at(-1)).toMatchObject({
      quote: expect.stringContaining("insufficient"),
      path: "/billing?tab=subscription",
    });
  });

  test("keeps the plan and its limit meanwhile, and takes no other choice", async () => {
    expect(await held()).toMatch(/^professional past_due/);
    await expectRefusal(choose("enterprise"), "invalid_transition", /Pay it first/);
    await cancelSubscription(publisher);
    expect(await held()).toBeUndefined();
  });

  test("ends by paying now, for the period that is open", async () => {
    const pay = (key: string) => payOverdue(publisher, { key, returnPath: () => "/publisher/billing" });
    expect(await pay("first")).toMatchObject({ status: "failed" });
    await add("tok_mastercard");
    world.passDays(2);
    const done = await Promise.all([pay("second"), pay("second")]);
    expect(done.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(await held()).toBe("professional active until 2027-01-20");
    await expectRefusal(pay("third"), "invalid_transition", /No payment/);
    expect(await booked()).toBe(2);
    await settled();
  });

  test("ends with another payment method by itself", async () => {
    world.passDays(0.2);
    await addPaymentMethod(publisher, { token: "tok_mastercard" });
    await renew();
    expect(await held()).toBe("professional active until 2027-01-20");
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
      .where(currentOf(publisher.actor.accountId));

  test("refuses a plan that is too small for what runs, with the reason", async () => {
    await running(6);
    await expectRefusal(choose("starter"), "limit_reached", /You run 6 campaigns, and the Starter plan allows 5\./);
    expect(await quotePlan(publisher, { planType: "starter" })).toMatchObject({
      refusal: expect.stringContaining("one of them"),
    });
  });

  test("is asked again when the plan gets smaller: what runs by then keeps the plan", async () => {
    await add("tok_visa");
    await running(5);
    await choose("starter");
    await running(1);
    await becomeDue();
    await renew();
    expect((await findSubscription(publisher))?.planType).toBe("professional");
    expect(await told()).toContain("downgrade_refused");
  });

  test("holds when the plan gets smaller while a campaign is approved", async () => {
    for (let round = 0; round < 4; round += 1) {
      await world.subscribe("harbor", "professional");
      await db().execute(sql`update line_items set completed_at = now() where completed_at is null`);
      await running(5);
      const id = await world.aLaunchedCampaign();
      await becomeDue("starter");
      await Promise.allSettled([reviewCampaign(world.harbor, { id, action: "approve" }), renew()]);
      const fits = (await findSubscription(publisher))?.planType === "professional";
      expect(await world.partOf(world.harbor, id)).toBe(fits ? "approved active" : "pending pending");
      expect(await findBrokenInvariants(db())).toEqual({});
    }
  });
});
