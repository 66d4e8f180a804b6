import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { parseInvoiceNumber } from "#app/domain/billing/invoices/invoice.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { listInvoiceLines, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { recordInvoicePayment } from "#app/domain/billing/invoices/record-invoice-payment.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { type BookedReversal, type Reversal, reversalStepsFor } from "#app/domain/billing/reversals/reversal.ts";
import { reversePlanPayment } from "#app/domain/billing/reversals/reverse-plan-payment.server.ts";
import { reverseTopUp } from "#app/domain/billing/reversals/reverse-top-up.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { payPastDue } from "#app/domain/billing/subscription/pay-past-due.server.ts";
import { quotePlan } from "#app/domain/billing/subscription/quote-plan.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import { newId, type PlanChangeId, type TopUpId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { resolveSandboxPayment } from "#app/domain/payments/sandbox/sandbox-provider.server.ts";
import { describePlanQuote } from "#app/screens/publisher/subscription/choose-plan/plan-quote-copy.ts";
import { activityEvent } from "#app/screens/shared/activity/activity-copy.ts";
import {
  auditEntries,
  invoiceRuns,
  lineItemCounts,
  notifications,
  planChanges,
  sandboxPayments,
  subscriptions,
  transactions,
} from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { planCents, planDollars } from "#tests/support/plan-prices.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let advertiser: Ctx<AdvertiserActor>;
let publisher: Ctx<PublisherActor>;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", ...(await newMember("advertiser")) } };
  publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", ...(await newMember("publisher")) } };
});

const dispute = (cents: number, reference = newId()): Reversal[] => [
  { reference, reason: "dispute", amount: asCents(cents) },
];
const method = async (ctx: Ctx<AdvertiserActor | PublisherActor>) =>
  (await addPaymentMethod(ctx, { token: "tok_visa" })).id;
const topUp = async (dollars: number) =>
  (
    await topUpWallet(advertiser, {
      amount: asCents(dollars * 100),
      payment_method_id: await method(advertiser),
      key: newId(),
      returnPath: () => "/back",
    })
  ).id;
const reversePayment = (id: TopUpId, reversals: Reversal[]) => reverseTopUp(world.job, { id, reversals: reversals });
const wallet = async () => {
  const { balance, owed, holds } = await getWallet(advertiser);
  return { balance: balance / 100, owed: owed / 100, holds };
};
const lines = async (ctx: Ctx<AdvertiserActor | PublisherActor>) => {
  const own = and(eq(transactions.accountId, ctx.actor.accountId), eq(transactions.type, "adjustment"));
  const rows = await db().select().from(transactions).where(own).orderBy(transactions.id);
  return rows.map(({ status, amountCents, description }) => `${status} ${amountCents / 100} ${description}`);
};
const expectConsistentLedger = async () => expect(await checkLedger(world.job)).toEqual([]);
/** Delivers this spend on one day and settles it in the following night. */
async function spend(dollars: number): Promise<void> {
  const changes = { name: "Packs", start_date: "2026-11-20", end_date: "2027-11-30", budget: 900, daily_budget: 900 };
  const id = await world.aRunningCampaign({ by: advertiser, changes });
  await world.deliver(id, { day: "2026-11-20" as CalendarDate, spendMicros: dollars * 1e6 });
  world.advanceDays(0.7);
  await settleDelivery(world.job);
}

describe("a reversal of a wallet's top-up", () => {
  test("makes the advertiser owe what the wallet lacks, and holds delivery until it is paid", async () => {
    const id = await topUp(100);
    await spend(30);
    const reversal = dispute(10_000);
    expect(await reversePayment(id, reversal)).toEqual({ steps: 1, excess: 0 });
    expect(await reversePayment(id, reversal)).toEqual({ steps: 0, excess: 0 });
    expect(await wallet()).toEqual({ balance: -30, owed: 30, holds: true });
    expect((await getWallet(advertiser)).reversed).toBe(3_000);
    await expectConsistentLedger();
    await topUp(30);
    expect(await wallet()).toEqual({ balance: 0, owed: 0, holds: true });
    await topUp(20);
    expect(await wallet()).toEqual({ balance: 20, owed: 0, holds: false });
    await expectConsistentLedger();
  });

  test("is no reason of debt any more once it is paid, nor where it was taken from the wallet", async () => {
    await setCreditLimit(
      { ...asOperator(), clock: world.clock },
      { accountId: advertiser.actor.accountId, amount: asCents(50_000) },
    );
    const [covered, owedFor] = [await topUp(40), await topUp(60)];
    await reversePayment(covered, dispute(4_000));
    await spend(130);
    expect(await getWallet(advertiser)).toMatchObject({ owed: 7_000, reversed: 0 });
    const refund = dispute(6_000).map((one) => ({ ...one, reason: "refund" as const }));
    await reversePayment(owedFor, refund);
    expect(await getWallet(advertiser)).toMatchObject({ owed: 13_000, reversed: 6_000, reversedBy: "refund" });
    await topUp(45);
    expect(await getWallet(advertiser)).toMatchObject({ owed: 8_500, reversed: 1_500 });
    await topUp(20);
    expect(await getWallet(advertiser)).toMatchObject({ owed: 6_500, reversed: 0 });
    await expectConsistentLedger();
  });

  test("is paid off by a top-up that was started before it and confirmed after it", async () => {
    const id = await topUp(100);
    await spend(130);
    const { id: waiting, confirmUrl } = await topUpWallet(advertiser, {
      amount: asCents(10_000),
      payment_method_id: (await addPaymentMethod(advertiser, { token: "tok_confirmation" })).id,
      key: newId(),
      returnPath: () => "/back",
    });
    world.advanceDays(0.1);
    await reversePayment(id, dispute(10_000));
    expect(await getWallet(advertiser)).toMatchObject({ owed: 13_000, reversed: 10_000 });
    await resolveSandboxPayment(advertiser, { id: confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    expect(await finishTopUp(advertiser, { id: waiting })).toMatchObject({ status: "succeeded" });
    expect(await getWallet(advertiser)).toMatchObject({ owed: 3_000, reversed: 0 });
  });

  test("that is reinstated pays debt first, and goes into the wallet", async () => {
    const id = await topUp(100);
    await spend(30);
    const reversal = dispute(10_000)[0] ?? expect.fail();
    await reversePayment(id, [reversal]);
    expect(await reversePayment(id, [{ ...reversal, amount: asCents(0) }])).toMatchObject({ steps: 1 });
    expect(await wallet()).toEqual({ balance: 70, owed: 0, holds: false });
    // The bank disputes the payment a second time, and only part of it.
    await reversePayment(id, [{ ...reversal, amount: asCents(8_000) }]);
    expect(await wallet()).toEqual({ balance: -10, owed: 10, holds: true });
    const of = "Wallet top-up, Visa •••• 4242";
    expect(await lines(advertiser)).toEqual([
      `succeeded -100 Payment disputed: ${of}`,
      `succeeded 100 Payment reinstated: ${of}`,
      `succeeded -80 Payment disputed: ${of}`,
    ]);
    await expectConsistentLedger();
  });

  test("of two at once, and of one that was not paid, never exceeds the payment", async () => {
    const id = await topUp(50);
    const both = [...dispute(5_000), { ...(dispute(2_000)[0] ?? expect.fail()), reason: "refund" as const }];
    await Promise.all([reversePayment(id, both), reversePayment(id, both)]);
    expect(await reversePayment(id, both)).toEqual({ steps: 0, excess: 2_000 });
    expect(await wallet()).toMatchObject({ balance: 0, owed: 0 });
    await expectConsistentLedger();
  });
});

describe("a reversal of an invoice's payment", () => {
  const invoiceRows = async () =>
    (await listInvoices(advertiser, {})).rows.map(({ amount, open, status }) => [amount / 100, open / 100, status]);

  /** $40 of $100 were in the wallet; the invoice asks for the rest. */
  async function createPaidInvoice(): Promise<TopUpId> {
    await setCreditLimit(
      { ...asOperator(), clock: world.clock },
      { accountId: advertiser.actor.accountId, amount: asCents(100_000) },
    );
    await topUp(40);
    await spend(100);
    world.setNow("2026-12-01T02:00:00Z");
    await db().delete(invoiceRuns);
    await issueInvoices(world.job);
    return (await pay()).id;
  }
  const pay = async () => {
    const [invoice] = (await listInvoices(advertiser, { limit: 1 })).rows;
    return payInvoice(advertiser, {
      id: invoice?.id ?? expect.fail(),
      payment_method_id: await method(advertiser),
      key: newId(),
      returnPath: () => "/back",
    });
  };

  test("reopens the invoice, which can be paid again, and reinstated money then goes into the wallet", async () => {
    const id = await createPaidInvoice();
    expect(await invoiceRows()).toEqual([[60, 0, "paid"]]);
    const reversal = dispute(6_000)[0] ?? expect.fail();
    await reversePayment(id, [{ ...reversal, amount: asCents(2_500) }]);
    expect([await invoiceRows(), await wallet()]).toEqual([
      [[60, 25, "open"]],
      { balance: -25, owed: 25, holds: false },
    ]);
    await reversePayment(id, [reversal]);
    expect(await invoiceRows()).toEqual([[60, 60, "open"]]);
    await reversePayment(id, [{ ...reversal, amount: asCents(5_000) }]);
    expect(await invoiceRows()).toEqual([[60, 50, "open"]]);
    await expectConsistentLedger();
    await pay();
    await reversePayment(id, [{ ...reversal, amount: asCents(0) }]);
    expect([await invoiceRows(), await wallet()]).toEqual([[[60, 0, "paid"]], { balance: 50, owed: 0, holds: false }]);
    await reversePayment(id, [reversal]);
    expect([await invoiceRows(), await wallet()]).toEqual([
      [[60, 10, "open"]],
      { balance: -10, owed: 10, holds: false },
    ]);
    await expectConsistentLedger();
  });

  test.each([2_500, 3_500])("is paid by bank transfer each time, also when %d cents follow 2,500", async (cents) => {
    const id = await createPaidInvoice();
    const [invoice] = (await listInvoices(advertiser, {})).rows;
    const number = parseInvoiceNumber(invoice?.number ?? "") ?? expect.fail();
    const transfer = () => recordInvoicePayment({ ...asOperator(), clock: world.clock }, { number });
    const refunds = dispute(2_500);
    await reversePayment(id, refunds);
    expect(await transfer()).toBe(2_500);
    await reversePayment(id, [...refunds, ...dispute(cents)]);
    expect(await invoiceRows()).toEqual([[60, cents / 100, "open"]]);
    expect(await transfer()).toBe(cents);
    expect([await invoiceRows(), await wallet()]).toEqual([[[60, 0, "paid"]], { balance: 0, owed: 0, holds: false }]);
    await expectDomainError(transfer(), "invalid_transition");
    await expectConsistentLedger();
  });

  test("is not on the next invoice, unlike a top-up's, which is owed", async () => {
    const id = await createPaidInvoice();
    await reversePayment(id, dispute(1_000));
    await reversePayment(await topUp(50), dispute(5_000));
    world.setNow("2027-01-01T02:00:00Z");
    await db().delete(invoiceRuns);
    await issueInvoices(world.job);
    const [next] = (await listInvoices(advertiser, {})).rows;
    const nextLines = await listInvoiceLines(advertiser, { id: next?.id ?? expect.fail() });
    expect(nextLines.map(({ description, amount }) => [description, amount / 100])).toEqual([
      ["Already credited to earlier invoices", 10],
      ["Reversed payments", 10],
      ["Paid from your wallet", -10],
    ]);
    expect(await wallet()).toMatchObject({ owed: 10 });
    await expectConsistentLedger();
  });
});

describe("a reversal of a plan's payment", () => {
  const choose = async (planType: PlanType) => {
    await method(publisher);
    return (await changePlan(publisher, { planType, key: newId(), returnPath: () => "/publisher/billing" })).id;
  };
  const applyReversals = (id: PlanChangeId, reversals: Reversal[]) =>
    reversePlanPayment(world.job, { id, reversals: reversals });
  const currentPlan = async () => {
    const found = await findSubscription(publisher);
    return found && `${found.planType} ${found.status} until ${found.periodEndsAt.toISOString().slice(0, 10)}`;
  };
  /** Returns the activity lines about changes of the plan itself. */
  const planEvents = async () => {
    const isPlanEvent = sql`action in ('subscription.reactivated', 'subscription.marked_past_due', 'subscription.upgrade_reversed')`;
    const own = and(eq(auditEntries.accountId, publisher.actor.accountId), isPlanEvent);
    const rows = await db().select().from(auditEntries).where(own).orderBy(auditEntries.id);
    return rows.map(({ action }) => activityEvent(action));
  };
  /** Returns why the plan ended, as the publisher was told. */
  const endingNotice = async () => {
    const ended = and(
      eq(notifications.accountId, publisher.actor.accountId),
      eq(notifications.event, "subscription_ended"),
    );
    const [row] = await db().select().from(notifications).where(ended);
    return row && describeNotification(row, "publisher").lines[0];
  };
  /** Returns what the publisher was told last about a payment that failed. */
  const failureNotice = async () => {
    const failed = and(
      eq(notifications.accountId, publisher.actor.accountId),
      eq(notifications.event, "subscription_payment_failed"),
    );
    const [row] = await db().select().from(notifications).where(failed).orderBy(desc(notifications.id)).limit(1);
    return row && describeNotification(row, "publisher").lines.join(" ");
  };
  const dueAt = async () => {
    const own = eq(subscriptions.accountId, publisher.actor.accountId);
    const [row] = await db().select({ dueAt: subscriptions.dueAt }).from(subscriptions).where(own);
    return row?.dueAt;
  };
  const chargedMethods = () =>
    db().$count(
      planChanges,
      and(eq(planChanges.accountId, publisher.actor.accountId), isNotNull(planChanges.paymentMethodId)),
    );
  const charges = () => db().$count(sandboxPayments, sql`description like '% plan'`);

  test("changes nothing if partial; a full one makes the plan past due, and a new payment starts a new month", async () => {
    const id = await choose("professional");
    const reversal = dispute(planCents.professional)[0] ?? expect.fail();
    world.advanceDays(5);
    await applyReversals(id, [{ ...reversal, amount: asCents(10_000) }]);
    expect(await currentPlan()).toBe("professional active until 2026-12-20");
    await applyReversals(id, [reversal]);
    expect(await currentPlan()).toBe("professional past_due until 2026-12-20");
    expect(await findSubscription(publisher)).toMatchObject({
      overdue: {
        amount: planCents.professional,
        reason: "The last payment for your plan was reversed.",
        nextTryAt: null,
      },
    });
    await expectConsistentLedger();
    // A card whose payment was disputed is not charged automatically.
    const before = await charges();
    world.advanceDays(1);
    await renewDueSubscriptions(world.job);
    expect([await charges(), await currentPlan()]).toEqual([before, "professional past_due until 2026-12-20"]);
    await payPastDue(publisher, { key: newId(), returnPath: () => "/publisher/billing" });
    expect(await currentPlan()).toBe("professional active until 2026-12-26");
    // This reinstated payment belongs to a period that has ended.
    await applyReversals(id, [{ ...reversal, amount: asCents(0) }]);
    expect(await currentPlan()).toBe("professional active until 2026-12-26");
    expect(await lines(publisher)).toEqual([
      "succeeded -100 Payment disputed: Professional plan, Visa •••• 4242",
      `succeeded ${100 - planDollars.professional} Payment disputed: Professional plan, Visa •••• 4242`,
      `succeeded ${planDollars.professional} Payment reinstated: Professional plan, Visa •••• 4242`,
    ]);
    await expectConsistentLedger();
  });

  test("ends the plan after a week unpaid; one won before continues to its own end", async () => {
    const id = await choose("starter");
    const reversal = dispute(planCents.starter)[0] ?? expect.fail();
    await applyReversals(id, [reversal]);
    await applyReversals(id, [{ ...reversal, amount: asCents(0) }]);
    expect(await currentPlan()).toBe("starter active until 2026-12-20");
    await applyReversals(id, [reversal]);
    for (const days of [1, 2, 4]) {
      world.advanceDays(days);
      await renewDueSubscriptions(world.job);
    }
    expect(await currentPlan()).toBeUndefined();
    await applyReversals(id, [{ ...reversal, amount: asCents(0) }]);
    expect(await currentPlan()).toBeUndefined();
    await expectConsistentLedger();
  });

  test("by a dispute after its month ends automatic charges to the card until its owner pays with it again", async () => {
    const id = await choose("starter");
    world.setNow("2026-12-20T12:00:00Z");
    await renewDueSubscriptions(world.job);
    await applyReversals(id, dispute(planCents.starter));
    expect(await currentPlan()).toBe("starter active until 2027-01-20");
    const before = await chargedMethods();
    world.setNow("2027-01-20T12:00:00Z");
    await renewDueSubscriptions(world.job);
    expect([await chargedMethods(), await currentPlan()]).toEqual([before, "starter past_due until 2027-01-20"]);
    expect(await findSubscription(publisher)).toMatchObject({
      overdue: { reason: expect.stringContaining("Your bank disputed a payment"), nextTryAt: null },
    });
    expect(await failureNotice()).toMatch(/^Your Starter plan stays active for now\. Pay now/);
    await setPlanFunding(publisher, { payFrom: "earnings" });
    await renewDueSubscriptions(world.job);
    expect(await findSubscription(publisher)).toMatchObject({
      overdue: { chargesMethod: false, nextTryAt: new Date("2027-01-21T12:00:00Z") },
    });
    await payPastDue(publisher, { key: newId(), returnPath: () => "/publisher/billing" });
    world.setNow("2027-02-20T12:00:00Z");
    await renewDueSubscriptions(world.job);
    expect([await chargedMethods(), await currentPlan()]).toEqual([before + 2, "starter active until 2027-03-20"]);
  });

  test("of a canceled plan can be paid again, and the plan stays canceled", async () => {
    const id = await choose("starter");
    await cancelSubscription(publisher);
    world.advanceDays(5);
    await applyReversals(id, dispute(planCents.starter));
    expect(await currentPlan()).toBe("starter past_due until 2026-12-20");
    await payPastDue(publisher, { key: newId(), returnPath: () => "/publisher/billing" });
    expect(await currentPlan()).toBe("starter active until 2026-12-25");
    expect(await findSubscription(publisher)).toMatchObject({ cancelAtPeriodEnd: true, next: null });
    const before = await charges();
    world.setNow("2026-12-25T12:00:00Z");
    await renewDueSubscriptions(world.job);
    expect([await charges(), await currentPlan()]).toEqual([before, undefined]);
    await expectConsistentLedger();
  });

  test("of a canceled plan leaves a week to pay it without charging, and one that is won restores it", async () => {
    const id = await choose("starter");
    await cancelSubscription(publisher);
    world.advanceDays(5);
    const reversal = dispute(planCents.starter)[0] ?? expect.fail();
    await applyReversals(id, [reversal]);
    expect(await findSubscription(publisher)).toMatchObject({
      overdue: { nextTryAt: null, endsAt: new Date("2026-12-02T12:00:00Z") },
    });
    const before = await charges();
    for (const days of [1, 2]) {
      world.advanceDays(days);
      // Another card makes a past-due plan due at once, but a canceled one is not charged by itself.
      await method(publisher);
      expect(await dueAt()).toEqual(new Date("2026-12-02T12:00:00Z"));
      await renewDueSubscriptions(world.job);
      expect([await charges(), await currentPlan()]).toEqual([before, "starter past_due until 2026-12-20"]);
    }
    await applyReversals(id, [{ ...reversal, amount: asCents(0) }]);
    expect(await currentPlan()).toBe("starter active until 2026-12-20");
    world.setNow("2026-12-20T12:00:00Z");
    await renewDueSubscriptions(world.job);
    expect([await charges(), await currentPlan()]).toEqual([before, undefined]);
    expect(await endingNotice()).toBe("Your plan was canceled and ended with its billing period.");
  });

  test("of a canceled plan that nobody pays again ends it after a week, which the notification says", async () => {
    const id = await choose("starter");
    await cancelSubscription(publisher);
    world.advanceDays(5);
    await applyReversals(id, dispute(planCents.starter));
    await addPaymentMethod(publisher, { token: "tok_confirmation" });
    await payPastDue(publisher, { key: newId(), returnPath: () => "/publisher/billing" });
    world.advanceDays(1.1);
    await finishDuePlanChanges(world.job);
    expect(await failureNotice()).toBe(
      "Your Starter plan stays active for now. Pay now. You canceled the plan, so we don't charge it automatically.",
    );
    world.advanceDays(5.9);
    await renewDueSubscriptions(world.job);
    expect(await currentPlan()).toBeUndefined();
    expect(await endingNotice()).toBe(
      "The last payment for your plan was reversed. You had canceled the plan, and it was not paid again within a week.",
    );
  });

  test("of a canceled plan leaves it until the end of its period, if that comes earlier", async () => {
    const id = await choose("starter");
    await cancelSubscription(publisher);
    world.advanceDays(27);
    await applyReversals(id, dispute(planCents.starter));
    expect(await findSubscription(publisher)).toMatchObject({ overdue: { endsAt: new Date("2026-12-20T12:00:00Z") } });
    world.setNow("2026-12-20T11:59:00Z");
    await renewDueSubscriptions(world.job);
    expect(await currentPlan()).toBe("starter past_due until 2026-12-20");
    world.setNow("2026-12-20T12:00:00Z");
    await renewDueSubscriptions(world.job);
    expect([await currentPlan(), await endingNotice()]).toEqual([
      undefined,
      "Your plan was canceled and ended with its billing period.",
    ]);
  });

  test("undoes an upgrade, and reinstating it restores the upgrade", async () => {
    await choose("starter");
    const upgrade = await choose("professional");
    const [row] = await db()
      .select()
      .from(planChanges)
      .where(eq(planChanges.id, upgrade))
      .orderBy(desc(planChanges.id));
    const reversal = dispute(row?.amountCents ?? 0)[0] ?? expect.fail();
    await applyReversals(upgrade, [reversal]);
    expect(await currentPlan()).toBe("starter active until 2026-12-20");
    expect(await planEvents()).toEqual(["Upgrade undone after a payment reversal"]);
    await applyReversals(upgrade, [{ ...reversal, amount: asCents(0) }]);
    expect(await currentPlan()).toBe("professional active until 2026-12-20");
    expect((await planEvents()).slice(1)).toEqual(["Plan reactivated: payment reinstated"]);
    await expectConsistentLedger();
  });

  test("of the first of two upgrades undoes both, and reinstating it restores both", async () => {
    await choose("starter");
    world.advanceDays(1);
    const first = await choose("professional");
    world.advanceDays(1);
    await choose("enterprise");
    world.advanceDays(1);
    const [paid] = await db().select().from(planChanges).where(eq(planChanges.id, first));
    const reversal = dispute(paid?.amountCents ?? 0)[0] ?? expect.fail();
    await applyReversals(first, [reversal]);
    expect(await currentPlan()).toBe("starter active until 2026-12-20");
    await applyReversals(first, [{ ...reversal, amount: asCents(0) }]);
    expect(await currentPlan()).toBe("enterprise active until 2026-12-20");
    await expectConsistentLedger();
  });

  test("of an upgrade leaves a larger one that was paid in full after it", async () => {
    const start = await choose("starter");
    world.advanceDays(1);
    const first = await choose("professional");
    world.advanceDays(1);
    const [paid] = await db().select().from(planChanges).where(eq(planChanges.id, first));
    await applyReversals(first, dispute(paid?.amountCents ?? 0));
    world.advanceDays(1);
    await choose("enterprise");
    await applyReversals(start, dispute(1_000));
    expect(await currentPlan()).toBe("enterprise active until 2026-12-20");
  });

  test("of an upgrade that the running campaigns need prices the next upgrade from the plan that is paid for", async () => {
    await choose("starter");
    const first = await choose("professional");
    const [paid] = await db().select().from(planChanges).where(eq(planChanges.id, first));
    const running = { approvalStatus: "approved", status: "active", managedByRetailer: false, lineItems: 6 } as const;
    const none = { impressions: 0, commissionCents: 0, ctrSum: 0n };
    await db
      .owner()
      .insert(lineItemCounts)
      .values({ publisherId: publisher.actor.accountId, ...running, ...none });
    await applyReversals(first, dispute(paid?.amountCents ?? 0));
    expect(await currentPlan()).toBe("professional active until 2026-12-20");
    const amount = planCents.enterprise - planCents.starter;
    const quote = await quotePlan(publisher, { planType: "enterprise" });
    expect(quote).toMatchObject({ kind: "upgrade", amount, pricedFrom: "starter" });
    expect(describePlanQuote(quote, world.clock())).toContain(
      "the price difference from Starter, because the payment for your current plan was reversed, prorated for the 30 of 30 days",
    );
    const upgrade = await choose("enterprise");
    const [change] = await db().select().from(planChanges).where(eq(planChanges.id, upgrade));
    expect([change?.amountCents, await currentPlan()]).toEqual([amount, "enterprise active until 2026-12-20"]);
    await expectConsistentLedger();
  });

  test.each([0, 5])(
    "that undid an upgrade lets the publisher upgrade again in the period, %d days later",
    async (days) => {
      await choose("starter");
      const upgrade = await choose("professional");
      const [paid] = await db().select().from(planChanges).where(eq(planChanges.id, upgrade));
      const reversal = dispute(paid?.amountCents ?? 0)[0] ?? expect.fail();
      await applyReversals(upgrade, [reversal]);
      expect(await currentPlan()).toBe("starter active until 2026-12-20");
      world.advanceDays(days);
      const again = await choose("professional");
      const [change] = await db().select().from(planChanges).where(eq(planChanges.id, again));
      expect([change?.status, await currentPlan()]).toEqual(["succeeded", "professional active until 2026-12-20"]);
      await expectConsistentLedger();
      await applyReversals(upgrade, [{ ...reversal, amount: asCents(0) }]);
      expect(await currentPlan()).toBe("professional active until 2026-12-20");
      await expectConsistentLedger();
    },
  );
});

test("in any order of a provider's reports ends in their state, and never exceeds the payment", () => {
  const reversal = fc.record({ reference: fc.constantFrom("a", "b", "c"), amount: fc.nat({ max: 150 }) });
  const report = fc.uniqueArray(reversal, { selector: ({ reference }) => reference, maxLength: 3 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(report, { maxLength: 6 }), (payment, reports) => {
      const booked = new Map<string, BookedReversal>();
      const sum = () => [...booked.values()].reduce((all, { amount }) => all + amount, 0);
      const reported = new Map<string, number>();
      for (const one of reports) {
        const reversals = one.map(
          ({ reference, amount }): Reversal => ({ reference, reason: "refund", amount: asCents(amount) }),
        );
        for (const { reference, amount } of one) reported.set(reference, amount);
        const input = { reversals, booked: [...booked.values()] };
        for (const { reference, reason, number, amount } of reversalStepsFor(asCents(payment), input).steps) {
          const before = booked.get(reference);
          expect(number).toBe((before?.steps ?? 0) + 1);
          booked.set(reference, { reference, reason, steps: number, amount: asCents((before?.amount ?? 0) + amount) });
          expect(sum()).toBeGreaterThanOrEqual(0);
          expect(sum()).toBeLessThanOrEqual(payment);
        }
        expect(
          reversalStepsFor(asCents(payment), { reversals: reversals, booked: [...booked.values()] }).steps,
        ).toEqual([]);
        for (const { reference, amount } of booked.values())
          expect(amount).toBeLessThanOrEqual(reported.get(reference) ?? 0);
        if (one.reduce((all, { amount }) => all + amount, 0) >= payment && booked.size === one.length)
          expect(sum()).toBe(payment);
      }
    }),
  );
});
