import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import express from "express";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { purgePaymentSetups } from "#app/domain/billing/payment-methods/purge-payment-setups.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { receiveStripeEvent } from "#app/domain/billing/provider-events/receive-stripe-event.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { payPastDue } from "#app/domain/billing/subscription/pay-past-due.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { AdvertiserActor, Ctx, TenantActor } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { env } from "#app/env.server.ts";
import { log } from "#app/web/log.server.ts";
import {
  auditEntries,
  notifications,
  paymentCustomers,
  paymentMethods,
  providerEvents,
  subscriptions,
  topUps,
} from "#db/schema/index.ts";
import { limitRequests } from "#server/http/request-limits.ts";
import { handleStripeEvents, stripeEventsPath } from "#server/http/stripe-events.ts";
import { newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { type FakeCard, type FakeStripe, startStripe, stripeVariables } from "#tests/support/fakes/fake-stripe.ts";
import { planCents } from "#tests/support/plan-prices.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let stripe: FakeStripe;
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => stripeVariables(stripe));
beforeAll(async () => {
  world = await createWorld(db());
});
afterAll(() => stripe.stop());
beforeEach(async () => {
  world.setNow(new Date().toISOString());
  const { accountId, userId } = await newMember("advertiser");
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
});

type Message = ReturnType<FakeStripe["message"]>;
const receiveMessage = ({ body, signature }: Message) =>
  receiveStripeEvent(world.job, { body: Buffer.from(body), signature });
const paths = { returnPath: "/advertiser/billing/payment-methods/add", cancelPath: "/advertiser/billing" } as const;
async function visit(card: FakeCard, who: Ctx<TenantActor> = advertiser) {
  const reference = (await startPaymentMethodSetup(who, paths)).url.split("/").at(-1) ?? "";
  stripe.addCard(reference, card);
  return reference;
}
const add = async (card: FakeCard = "visa") => addPaymentMethod(advertiser, { token: await visit(card) });
const topUp = async (card: FakeCard = "visa") =>
  topUpWallet(advertiser, {
    amount: asCents(5_000),
    payment_method_id: (await add(card)).id,
    key: newId(),
    returnPath: () => "/back" as const,
  });
const payment = () => stripe.all("payment_intent").at(-1) ?? expect.fail();
const balance = async () => (await getWallet(advertiser)).balance / 100;
const statuses = async () => {
  const own = eq(topUps.accountId, advertiser.actor.accountId);
  return (await db().select().from(topUps).where(own)).map(({ status }) => status);
};
const countAuditEntries = (action: string) =>
  db().$count(
    auditEntries,
    and(eq(auditEntries.action, action), eq(auditEntries.entityId, advertiser.actor.accountId)),
  );
const notices = async () => {
  const own = eq(notifications.accountId, advertiser.actor.accountId);
  const rows = await db().select().from(notifications).where(own);
  return [...new Set(rows.map(({ event }) => event))].filter((event) => event.startsWith("payment_")).sort();
};

describe("an event is accepted only when Stripe signed it, for us, just now, and these bytes:", () => {
  const succeededMessage = () => stripe.message("payment_intent.succeeded", { id: "pi_1", metadata: {} });
  const minutes = (count: number) => ({ at: Math.floor(Date.now() / 1_000) - count * 60 });
  test.each<[string, () => Message]>([
    ["another secret", () => stripe.message("payment_intent.succeeded", {}, { secret: "whsec_another" })],
    ["another body", () => ({ ...succeededMessage(), body: `${succeededMessage().body} ` })],
    [
      "another's signature",
      () => ({ ...succeededMessage(), signature: stripe.message("charge.refunded", {}).signature }),
    ],
    ["no signature", () => ({ ...succeededMessage(), signature: "" })],
    ["a signature of nothing", () => ({ ...succeededMessage(), signature: "t=1,v1=" })],
    ["six minutes late", () => stripe.message("payment_intent.succeeded", { id: "pi_1", metadata: {} }, minutes(6))],
    ["no JSON", () => ({ ...succeededMessage(), body: "{" })],
  ])("%s", async (_what, make) => {
    const before = await db().$count(providerEvents);
    await expectDomainError(receiveMessage(make()), "invalid_input");
    expect(await db().$count(providerEvents)).toBe(before);
  });

  test("an event four minutes late is accepted; an unknown payment or type has no effect", async () => {
    const foreign = { id: "pi_foreign", metadata: { endcap_key: `top_up/${newId()}` }, customer: "cus_other" };
    const card = { id: "pm_1", customer: "cus_other" };
    for (const message of [
      stripe.message("payment_intent.succeeded", foreign, minutes(4)),
      stripe.message("payment_intent.succeeded", { id: "pi_2", metadata: { endcap_key: "top_up/'; --" } }),
      stripe.message("payment_intent.succeeded", { id: "pi_3", metadata: {} }),
      stripe.message("checkout.session.completed", { id: "cs_foreign" }),
      stripe.message("payment_method.updated", card),
      stripe.message("payment_method.detached", { ...card, customer: null }),
      stripe.message("charge.dispute.created", { id: "dp_1", payment_intent: "pi_foreign" }),
      stripe.message("charge.refunded", { id: "ch_1", payment_intent: null }),
      stripe.message("product.created", { id: "prod_1" }),
    ]) {
      expect(await receiveMessage(message)).toMatchObject({ done: true, needsAttention: false });
    }
  });
});

describe("an event of a payment", () => {
  test.each([
    [true, ["succeeded"], 50],
    [false, ["failed"], 0],
  ])(
    "ends a top-up that waited for confirmation (%s), in any order of events, each of them twice",
    async (messageStatus, ended, walletDollars) => {
      await topUp("asking");
      const intent = payment();
      // A message may be outdated, so that the current state is requested again.
      const early = stripe.message("payment_intent.requires_action", structuredClone(intent));
      const wrong = stripe.message("payment_intent.payment_failed", { ...structuredClone(intent), status: "canceled" });
      expect(await receiveMessage(wrong)).toMatchObject({ done: true });
      expect(await statuses()).toEqual(["needs_confirmation"]);
      stripe.answerBank(intent.id, messageStatus);
      const last = stripe.message(messageStatus ? "payment_intent.succeeded" : "payment_intent.payment_failed", intent);
      const done = await Promise.all([last, last, last, early].map(receiveMessage));
      expect(done.filter((one) => one.done)).toHaveLength(2);
      expect(await receiveMessage(early)).toMatchObject({ done: false });
      expect([await statuses(), await balance()]).toEqual([ended, walletDollars]);
      expect(await checkLedger(world.job)).toEqual([]);
    },
  );

  test("finishes a payment whose response was lost, before any job does", async () => {
    const { id } = await add();
    stripe.trouble("cut_after", "cut");
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectDomainError(topUpWallet(advertiser, input), "unavailable");
    const before = stripe.all("payment_intent").length;
    expect(await receiveMessage(stripe.message("payment_intent.succeeded", payment()))).toMatchObject({ done: true });
    expect([await statuses(), await balance()]).toEqual([["succeeded"], 50]);
    await removePaymentMethod(advertiser, { id });
    expect(stripe.all("payment_intent")).toHaveLength(before);
  });

  test("books money for an expired payment, so that none is lost", async () => {
    const { id } = await topUp("declined");
    const intent = payment();
    await db().update(topUps).set({ paymentId: null }).where(eq(topUps.id, id));
    Object.assign(intent, { status: "succeeded" });
    await receiveMessage(stripe.message("payment_intent.succeeded", intent));
    expect([await statuses(), await balance()]).toEqual([["succeeded"], 50]);
    const second = { ...intent, id: "pi_second" };
    expect(await receiveMessage(stripe.message("payment_intent.succeeded", second))).toMatchObject({
      needsAttention: true,
    });
    expect(await countAuditEntries("account.charged_twice")).toBe(1);
    expect(await balance()).toBe(50);
  });

  test("that the books lack, as after a restore, is for the operator once it has succeeded", async () => {
    await topUp();
    const lost = ["top_up", "subscription"].map((what) => ({
      ...payment(),
      id: `pi_lost_${what}`,
      metadata: { endcap_key: `${what}/${newId()}` },
    }));
    for (const intent of lost) {
      const failed = await receiveMessage(stripe.message("payment_intent.payment_failed", intent));
      expect(failed).toMatchObject({ needsAttention: false });
      const paid = await receiveMessage(stripe.message("payment_intent.succeeded", intent));
      expect(paid).toMatchObject({ done: true, needsAttention: true });
    }
    expect(await countAuditEntries("account.payment_unmatched")).toBe(2);
    expect(await balance()).toBe(50);
  });

  test("starts a plan whose publisher confirmed it and closed the window, once", async () => {
    const { accountId, userId } = await newMember("publisher");
    const publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } } as const;
    await addPaymentMethod(publisher, { token: await visit("asking", publisher) });
    const choice = { planType: "professional", key: newId(), returnPath: () => "/publisher/billing" as const } as const;
    expect(await changePlan(publisher, choice)).toMatchObject({ status: "needs_confirmation" });
    expect(await findSubscription(publisher)).toBeUndefined();
    stripe.answerBank(payment().id, true);
    const messages = [1, 2, 3].map(() => stripe.message("payment_intent.succeeded", payment()));
    await Promise.all(messages.map(receiveMessage));
    expect(await findSubscription(publisher)).toMatchObject({ planType: "professional", status: "active" });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("that reports a charge as failed before the person was asked to confirm it lets the person confirm it", async () => {
    const { accountId, userId } = await newMember("publisher");
    const publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } } as const;
    await addPaymentMethod(publisher, { token: await visit("asking", publisher) });
    const choice = { planType: "professional", key: newId(), returnPath: () => "/publisher/billing" as const } as const;
    await changePlan(publisher, choice);
    stripe.answerBank(payment().id, true);
    await receiveMessage(stripe.message("payment_intent.succeeded", payment()));
    // The plan of this publisher alone, which began a month ago, is due.
    const at = world.clock().getTime();
    const [begin, end] = [new Date(at - 31 * 86_400_000), new Date(at - 1_000)];
    await db()
      .update(subscriptions)
      .set({ anchorAt: begin, periodStartedAt: begin, periodEndsAt: end, dueAt: end })
      .where(eq(subscriptions.accountId, accountId));
    // The renewal is declined off session; then the process stops before it asks the person.
    stripe.trouble(undefined, "cut", "cut");
    await renewDueSubscriptions(world.job);
    const declined = payment();
    expect(declined).toMatchObject({ status: "requires_payment_method" });
    const messages = [1, 2].map(() => stripe.message("payment_intent.payment_failed", structuredClone(declined)));
    for (const message of messages) expect(await receiveMessage(message)).toMatchObject({ done: true });
    expect(await findSubscription(publisher)).toMatchObject({
      status: "past_due",
      overdue: { reason: null, confirmUrl: `${stripe.origin}/confirm/${declined.id}`, nextTryAt: null },
    });
    stripe.answerBank(declined.id, true);
    await receiveMessage(stripe.message("payment_intent.succeeded", declined));
    expect(await findSubscription(publisher)).toMatchObject({ status: "active", overdue: null });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("is sent again when Stripe was unreachable, and processed then", async () => {
    await topUp("asking");
    const message = stripe.message("payment_intent.succeeded", payment());
    stripe.answerBank(payment().id, true);
    stripe.trouble("fail", "fail");
    await expectDomainError(receiveMessage(message), "unavailable");
    expect(await statuses()).toEqual(["needs_confirmation"]);
    expect(await receiveMessage(message)).toMatchObject({ done: true });
    expect(await statuses()).toEqual(["succeeded"]);
  });
});

describe("an event of a payment method", () => {
  const cards = async () =>
    (await listPaymentMethods(advertiser)).map((one) => `${one.lastFour} ${one.expiresMonth}/${one.expiresYear}`);
  const method = () => stripe.all("payment_method").at(-1) ?? expect.fail();

  test("adds the method of a person who never returned, once, also when both arrive at once", async () => {
    const reference = await visit("visa");
    const message = stripe.message("checkout.session.completed", { id: reference });
    await Promise.all([
      receiveMessage(message),
      receiveMessage(message),
      addPaymentMethod(advertiser, { token: reference }),
    ]);
    expect(await cards()).toEqual(["4242 12/2034"]);
    const [row] = await db()
      .select()
      .from(paymentMethods)
      .where(eq(paymentMethods.accountId, advertiser.actor.accountId));
    expect(row).toMatchObject({ isDefault: true, provider: "stripe" });
  });

  test("updates a card's expiry to Stripe's current one, and removes a detached card", async () => {
    await add();
    const old = structuredClone(method());
    Object.assign(method(), { card: { ...(old.card as object), exp_year: 2039, exp_month: 3 } });
    await receiveMessage(stripe.message("payment_method.automatically_updated", method()));
    await receiveMessage(stripe.message("payment_method.updated", old));
    expect(await cards()).toEqual(["4242 3/2039"]);
    const detached = stripe.message(
      "payment_method.detached",
      { ...method(), customer: null },
      {
        data: { previous_attributes: { customer: old.customer } },
      },
    );
    // These messages describe a state that is outdated or never existed.
    await receiveMessage({
      ...detached,
      ...stripe.message(
        "payment_method.detached",
        { ...old, customer: null },
        { data: { previous_attributes: { customer: old.customer } } },
      ),
    });
    expect(await cards()).toEqual(["4242 3/2039"]);
    Object.assign(method(), { customer: null });
    await Promise.all([receiveMessage(detached), receiveMessage(detached)]);
    expect(await cards()).toEqual([]);
  });
});

describe("a reversal outside our books", () => {
  const balanceAndLedgerIssues = async () => [await balance(), await checkLedger(world.job)];

  test.each([
    ["charge.dispute.created", "charge.dispute.funds_reinstated", "dispute"],
    ["charge.refunded", "refund.failed", "refund"],
  ] as const)(
    "by %s is booked once, however often it is reported, and so is its reinstatement",
    async (type, later, about) => {
      await topUp();
      const { id } = payment();
      const reversal = stripe.reversePayment(id, about, 2_000);
      const messages = [1, 2].map(() => stripe.message(type, about === "dispute" ? reversal : { payment_intent: id }));
      const done = await Promise.all([...messages, ...messages].map(receiveMessage));
      expect(done.some(({ needsAttention }) => needsAttention)).toBe(true);
      expect(await balanceAndLedgerIssues()).toEqual([30, []]);
      stripe.reinstate(reversal);
      const reinstated = stripe.message(later, reversal);
      await Promise.all([
        receiveMessage(reinstated),
        receiveMessage(reinstated),
        receiveMessage(stripe.message(type, reversal)),
      ]);
      expect(await balanceAndLedgerIssues()).toEqual([50, []]);
      expect(await notices()).toEqual(["payment_reinstated", "payment_reversed"]);
    },
  );

  test("with events in any order, and of several refunds, ends in Stripe's state; the excess is reported once", async () => {
    await topUp();
    const { id } = payment();
    const refunds = [500, 1_500].map((cents) => stripe.reversePayment(id, "refund", cents));
    const dispute = stripe.reversePayment(id, "dispute", 5_000);
    const late = stripe.message("charge.dispute.created", structuredClone(dispute));
    const firstReply = await receiveMessage(stripe.message("refund.updated", refunds[1] ?? {}));
    expect([firstReply.needsAttention, await balanceAndLedgerIssues()]).toEqual([true, [0, []]]);
    expect(await countAuditEntries("account.reversal_unmatched")).toBe(1);
    stripe.reinstate(dispute);
    await receiveMessage(stripe.message("charge.dispute.closed", dispute));
    expect(await balanceAndLedgerIssues()).toEqual([30, []]);
    expect(await receiveMessage(late)).toMatchObject({ needsAttention: true });
    expect(await balanceAndLedgerIssues()).toEqual([30, []]);
    expect(await countAuditEntries("account.reversal_unmatched")).toBe(1);
  });

  test.each([1_700, 2_300])(
    "is booked in the currency of the payment where Stripe's balance is in another (%i of it withdrawn)",
    async (withdrawn) => {
      await topUp();
      const dispute = stripe.reversePayment(payment().id, "dispute", 2_000, { amount: withdrawn, currency: "eur" });
      await receiveMessage(stripe.message("charge.dispute.funds_withdrawn", dispute));
      expect(await balanceAndLedgerIssues()).toEqual([30, []]);
      // The rate has changed since.
      stripe.reinstate(dispute, { amount: withdrawn - 50, currency: "eur" });
      await receiveMessage(stripe.message("charge.dispute.funds_reinstated", dispute));
      expect(await balanceAndLedgerIssues()).toEqual([50, []]);
    },
  );

  test("is booked before any event of the payment itself, and an inquiry reverses nothing", async () => {
    const { id } = await add();
    stripe.trouble("cut_after", "cut");
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectDomainError(topUpWallet(advertiser, input), "unavailable");
    const asked = stripe.reversePayment(payment().id, "inquiry", 5_000);
    const inquiry = [1, 2].map(() => stripe.message("charge.dispute.created", asked));
    for (const message of inquiry) expect(await receiveMessage(message)).toMatchObject({ needsAttention: true });
    expect([
      await statuses(),
      await balanceAndLedgerIssues(),
      await countAuditEntries("account.payment_disputed"),
    ]).toEqual([["succeeded"], [50, []], 1]);
    const reversal = stripe.reversePayment(payment().id, "dispute", 5_000);
    stripe.trouble("fail", "fail");
    const message = stripe.message("charge.dispute.funds_withdrawn", reversal);
    await expectDomainError(receiveMessage(message), "unavailable");
    expect(await receiveMessage(message)).toMatchObject({ done: true, needsAttention: true });
    expect(await balanceAndLedgerIssues()).toEqual([0, []]);
  });

  test("of a customer that was deleted and replaced since is booked all the same", async () => {
    await topUp();
    const reversal = stripe.reversePayment(payment().id, "dispute", 5_000);
    const own = eq(paymentCustomers.accountId, advertiser.actor.accountId);
    await db().update(paymentCustomers).set({ reference: "cus_replacement" }).where(own);
    const message = stripe.message("charge.dispute.funds_withdrawn", reversal);
    expect(await receiveMessage(message)).toMatchObject({ needsAttention: true });
    expect(await balanceAndLedgerIssues()).toEqual([0, []]);
  });

  test("makes the plan of its period past due, which continues when the dispute is won", async () => {
    const { accountId, userId } = await newMember("publisher");
    const publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } } as const;
    await addPaymentMethod(publisher, { token: await visit("visa", publisher) });
    const choice = { planType: "professional", key: newId(), returnPath: () => "/publisher/billing" as const } as const;
    await changePlan(publisher, choice);
    const reversal = stripe.reversePayment(payment().id, "dispute", planCents.professional);
    await receiveMessage(stripe.message("charge.dispute.funds_withdrawn", reversal));
    expect(await findSubscription(publisher)).toMatchObject({
      status: "past_due",
      overdue: { amount: planCents.professional },
    });
    expect(await checkLedger(world.job)).toEqual([]);
    stripe.reinstate(reversal);
    await receiveMessage(stripe.message("charge.dispute.closed", reversal));
    expect(await findSubscription(publisher)).toMatchObject({ status: "active", overdue: null });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("of a plan with a scheduled downgrade makes the price due that is charged then", async () => {
    const { accountId, userId } = await newMember("publisher");
    const publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } } as const;
    await addPaymentMethod(publisher, { token: await visit("visa", publisher) });
    const returnPath = () => "/publisher/billing" as const;
    for (const planType of ["professional", "starter"] as const)
      await changePlan(publisher, { planType, key: newId(), returnPath });
    const reversal = stripe.reversePayment(payment().id, "dispute", planCents.professional);
    await receiveMessage(stripe.message("charge.dispute.funds_withdrawn", reversal));
    const due = { planType: "starter", amount: planCents.starter } as const;
    expect((await findSubscription(publisher))?.overdue).toMatchObject(due);
    expect(await payPastDue(publisher, { key: newId(), returnPath })).toMatchObject({ ...due, status: "succeeded" });
    expect(await findSubscription(publisher)).toMatchObject({ planType: "starter", overdue: null });
  });

  test("is not booked for our own refund", async () => {
    await topUp();
    const { id } = payment();
    await paymentProvider(advertiser).refund({ key: newId(), paymentId: id, amount: 1_000 });
    expect(await receiveMessage(stripe.message("charge.refunded", { payment_intent: id }))).toMatchObject({
      needsAttention: false,
    });
    expect([await countAuditEntries("account.reversal_unmatched"), await balance()]).toEqual([0, 50]);
  });
});

describe("the refund of a plan's payment that arrived after it had failed", () => {
  async function chargeLate() {
    const { accountId, userId } = await newMember("publisher");
    const report = vi.fn();
    const publisher = {
      ...visitor(),
      clock: world.clock,
      actor: { kind: "publisher", accountId, userId },
      report,
    } as const;
    await addPaymentMethod(publisher, { token: await visit("declined", publisher) });
    const choice = { planType: "professional", key: newId(), returnPath: () => "/publisher/billing" as const } as const;
    expect(await changePlan(publisher, choice)).toMatchObject({ status: "failed" });
    const intent = Object.assign(payment(), { status: "succeeded" });
    const receive = (message: Message) =>
      receiveStripeEvent({ ...world.job, report }, { body: Buffer.from(message.body), signature: message.signature });
    const recorded = async () => {
      const own = and(eq(auditEntries.accountId, accountId), sql`${auditEntries.action} like '%refund%'`);
      return (await db().select().from(auditEntries).where(own).orderBy(auditEntries.id)).map(({ action }) => action);
    };
    await receive(stripe.message("payment_intent.succeeded", intent));
    return { receive, recorded, report, succeeded: () => stripe.message("payment_intent.succeeded", intent) };
  }
  const refund = () => stripe.all("refund").at(-1) ?? expect.fail();
  afterEach(() => stripe.refundAs("succeeded"));

  test("is made and recorded once, also after Stripe forgot its key", async () => {
    const before = stripe.all("refund").length;
    const { receive, recorded, report, succeeded } = await chargeLate();
    stripe.forgetKeys();
    await receive(succeeded());
    await receive(stripe.message("refund.updated", refund()));
    expect(await recorded()).toEqual(["subscription.payment_refunded"]);
    expect([stripe.all("refund").length - before, report.mock.calls]).toEqual([1, []]);
  });

  test("is recorded when it succeeds, not while it is pending", async () => {
    stripe.refundAs("pending");
    const { receive, recorded, succeeded } = await chargeLate();
    expect(await recorded()).toEqual([]);
    Object.assign(refund(), { status: "succeeded" });
    await Promise.all([1, 2].map(() => receive(stripe.message("refund.updated", refund()))));
    await receive(succeeded());
    expect(await recorded()).toEqual(["subscription.payment_refunded"]);
  });

  test.each(["failed", "pending", "succeeded"] as const)(
    "is reported for the operator once when it fails, %s at first",
    async (first) => {
      stripe.refundAs(first);
      const { receive, recorded, report, succeeded } = await chargeLate();
      Object.assign(refund(), { status: "failed" });
      for (const message of [stripe.message("refund.failed", refund()), succeeded()]) await receive(message);
      const before = first === "succeeded" ? ["subscription.payment_refunded"] : [];
      expect(await recorded()).toEqual([...before, "subscription.refund_failed"]);
      expect(report.mock.calls).toMatchObject([[expect.any(Error), { work: "refund_payment" }]]);
    },
  );
});

test("old events are deleted, long after Stripe would send them again", async () => {
  await db()
    .update(providerEvents)
    .set({ receivedAt: sql`${providerEvents.receivedAt} - interval '80 days'` });
  await purgePaymentSetups(world.job);
  const before = await db().$count(providerEvents);
  expect(before).toBeGreaterThan(10);
  world.advanceDays(11);
  await purgePaymentSetups(world.job);
  expect(await db().$count(providerEvents)).toBe(0);
});

describe("the endpoint for Stripe's events", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const app = express();
    app.use(stripeEventsPath, limitRequests({ milliseconds: 5_000, bytes: 20_000 }), handleStripeEvents(env()));
    app.use((_request, response) => void response.sendStatus(404));
    server = createServer(app).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}${stripeEventsPath}`;
  });
  afterAll(() => void server.close());
  const post = ({ body, signature }: Message, type = "application/json; charset=utf-8") =>
    fetch(url, { method: "POST", body, headers: { "Content-Type": type, "Stripe-Signature": signature } });

  test("reads the bytes as they arrive, and responds as Stripe expects", async () => {
    await topUp("asking");
    stripe.answerBank(payment().id, true);
    const message = stripe.message("payment_intent.succeeded", { ...payment(), description: "Käse – ☕" });
    stripe.trouble("fail", "fail");
    const failed = await post(message);
    expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await (await post(message)).json()).toEqual({ received: true, done: true });
    expect(await (await post(message)).json()).toEqual({ received: true, done: false });
    expect(await balance()).toBe(50);
  });

  test("rejects forged, too large and malformed events, with a message that shows nothing of them", async () => {
    const forged = await post(stripe.message("payment_intent.succeeded", payment(), { secret: "whsec_another" }));
    expect([forged.status, (await forged.json()).error.code]).toEqual([400, "malformed"]);
    expect((await post({ body: "", signature: "" })).status).toBe(400);
    expect((await post({ body: "x".repeat(30_000), signature: "t=1,v1=2" })).status).toBe(413);
    expect((await fetch(url)).status).toBe(404);
  });

  test("an event that turns out to be too large is no error of ours", async () => {
    const logged = vi.spyOn(log, "error");
    const parts = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 3; part += 1) controller.enqueue(new Uint8Array(10_000));
        controller.close();
      },
    });
    const init = { method: "POST", body: parts, duplex: "half", headers: { "Stripe-Signature": "t=1,v1=2" } };
    expect((await fetch(url, init as RequestInit)).status).toBe(413);
    await sleep(50);
    expect(logged).not.toHaveBeenCalled();
  });
});
