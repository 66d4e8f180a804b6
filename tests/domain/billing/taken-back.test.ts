import { and, desc, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { listInvoiceLines, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { payOverdue } from "#app/domain/billing/subscription/pay-overdue.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { takeBackPlan } from "#app/domain/billing/taken-back/take-back-plan.server.ts";
import { takeBackTopUp } from "#app/domain/billing/taken-back/take-back-top-up.server.ts";
import { type BookedTaking, stepsFor, type Taking } from "#app/domain/billing/taken-back/taken-back.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import { newId, type PlanChangeId, type TopUpId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import { verbOf } from "#app/screens/shared/activity-verbs.ts";
import { auditEntries, invoiceRuns, planChanges, sandboxPayments, transactions } from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let advertiser: Ctx<AdvertiserActor>;
let publisher: Ctx<PublisherActor>;
beforeAll(async () => {
  world = await makeWorld(db());
});
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", ...(await newMember("advertiser")) } };
  publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", ...(await newMember("publisher")) } };
});

const dispute = (cents: number, reference = newId()): Taking[] => [
  { reference, reason: "dispute", amount: toCents(cents) },
];
const method = async (who: Ctx<AdvertiserActor | PublisherActor>) =>
  (await addPaymentMethod(who, { token: "tok_visa" })).id;
const topUp = async (dollars: number) =>
  (
    await topUpWallet(advertiser, {
      amount: toCents(dollars * 100),
      payment_method_id: await method(advertiser),
      key: newId(),
      returnPath: () => "/back",
    })
  ).id;
const takeBack = (id: TopUpId, takings: Taking[]) => takeBackTopUp(world.job, { id, takings });
const wallet = async () => {
  const { balance, owed, holds } = await getWallet(advertiser);
  return { balance: balance / 100, owed: owed / 100, holds };
};
const lines = async (who: Ctx<AdvertiserActor | PublisherActor>) => {
  const own = and(eq(transactions.accountId, who.actor.accountId), eq(transactions.type, "adjustment"));
  const rows = await db().select().from(transactions).where(own).orderBy(transactions.id);
  return rows.map(({ status, amountCents, description }) => `${status} ${amountCents / 100} ${description}`);
};
const sound = async () => expect(await checkLedger(world.job)).toEqual([]);
/** Spends it on a day and settles it in the night after. */
async function spend(dollars: number): Promise<void> {
  const changes = { name: "Packs", start_date: "2026-11-20", end_date: "2027-11-30", budget: 900, daily_budget: 900 };
  const id = await world.aRunningCampaign({ by: advertiser, changes });
  await world.deliver(id, { day: "2026-11-20" as CalendarDate, spendMicros: dollars * 1e6 });
  world.passDays(0.7);
  await settleDelivery(world.job);
}

describe("of a wallet's top-up", () => {
  test("what is not in the wallet any more is owed, and holds delivery until it is paid", async () => {
    const id = await topUp(100);
    await spend(30);
    const taken = dispute(10_000);
    expect(await takeBack(id, taken)).toEqual({ steps: 1, beyond: 0 });
    expect(await takeBack(id, taken)).toEqual({ steps: 0, beyond: 0 });
    expect(await wallet()).toEqual({ balance: -30, owed: 30, holds: true });
    expect((await getWallet(advertiser)).takenBack).toBe(3_000);
    await sound();
    await topUp(30);
    expect(await wallet()).toEqual({ balance: 0, owed: 0, holds: true });
    await topUp(20);
    expect(await wallet()).toEqual({ balance: 20, owed: 0, holds: false });
    await sound();
  });

  test("what comes back pays what is owed first, and goes into the wallet", async () => {
    const id = await topUp(100);
    await spend(30);
    const taken = dispute(10_000)[0] ?? expect.fail();
    await takeBack(id, [taken]);
    expect(await takeBack(id, [{ ...taken, amount: toCents(0) }])).toMatchObject({ steps: 1 });
    expect(await wallet()).toEqual({ balance: 70, owed: 0, holds: false });
    // Taken again, as a bank may in a second round, and only a part of it.
    await takeBack(id, [{ ...taken, amount: toCents(8_000) }]);
    expect(await wallet()).toEqual({ balance: -10, owed: 10, holds: true });
    const of = "Wallet top-up, Visa •••• 4242";
    expect(await lines(advertiser)).toEqual([
      `succeeded -100 Taken back by your bank: ${of}`,
      `succeeded 100 Not taken back after all: ${of}`,
      `succeeded -80 Taken back by your bank: ${of}`,
    ]);
    await sound();
  });

  test("of two at once, and of one that was not paid, no more is taken than came in", async () => {
    const id = await topUp(50);
    const both = [...dispute(5_000), { ...(dispute(2_000)[0] ?? expect.fail()), reason: "refund" as const }];
    await Promise.all([takeBack(id, both), takeBack(id, both)]);
    expect(await takeBack(id, both)).toEqual({ steps: 0, beyond: 2_000 });
    expect(await wallet()).toMatchObject({ balance: 0, owed: 0 });
    await sound();
  });
});

describe("of an invoice's payment", () => {
  const all = async () =>
    (await listInvoices(advertiser, {})).rows.map(({ amount, open, status }) => [amount / 100, open / 100, status]);

  /** $40 of $100 were in the wallet; the invoice asks for the rest. */
  async function aPaidInvoice(): Promise<TopUpId> {
    await setCreditLimit(
      { ...asOperator(), clock: world.clock },
      { accountId: advertiser.actor.accountId, amount: toCents(100_000) },
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

  test("the invoice is open again by it, can be paid again, and what comes back then is in the wallet", async () => {
    const id = await aPaidInvoice();
    expect(await all()).toEqual([[60, 0, "paid"]]);
    const taken = dispute(6_000)[0] ?? expect.fail();
    await takeBack(id, [{ ...taken, amount: toCents(2_500) }]);
    expect([await all(), await wallet()]).toEqual([[[60, 25, "open"]], { balance: -25, owed: 25, holds: false }]);
    await takeBack(id, [taken]);
    expect(await all()).toEqual([[60, 60, "open"]]);
    await takeBack(id, [{ ...taken, amount: toCents(5_000) }]);
    expect(await all()).toEqual([[60, 50, "open"]]);
    await sound();
    await pay();
    await takeBack(id, [{ ...taken, amount: toCents(0) }]);
    expect([await all(), await wallet()]).toEqual([[[60, 0, "paid"]], { balance: 50, owed: 0, holds: false }]);
    await takeBack(id, [taken]);
    expect([await all(), await wallet()]).toEqual([[[60, 10, "open"]], { balance: -10, owed: 10, holds: false }]);
    await sound();
  });

  test("what of a top-up is taken back and owed stands on the next invoice, and what opened the last one does not", async () => {
    const id = await aPaidInvoice();
    await takeBack(id, dispute(1_000));
    await takeBack(await topUp(50), dispute(5_000));
    world.setNow("2027-01-01T02:00:00Z");
    await db().delete(invoiceRuns);
    await issueInvoices(world.job);
    const [next] = (await listInvoices(advertiser, {})).rows;
    const nextLines = await listInvoiceLines(advertiser, { id: next?.id ?? expect.fail() });
    expect(nextLines.map(({ description, amount }) => [description, amount / 100])).toEqual([
      ["Payments that were taken back, less what your wallet paid", 10],
    ]);
    expect(await wallet()).toMatchObject({ owed: 10 });
    await sound();
  });
});

describe("of a plan's payment", () => {
  const choose = async (planType: PlanType) => {
    await method(publisher);
    return (await changePlan(publisher, { planType, key: newId(), returnPath: () => "/publisher/billing" })).id;
  };
  const take = (id: PlanChangeId, takings: Taking[]) => takeBackPlan(world.job, { id, takings });
  const held = async () => {
    const found = await findSubscription(publisher);
    return found && `${found.planType} ${found.status} until ${found.periodEndsAt.toISOString().slice(0, 10)}`;
  };
  /** What the activity says that became of the plan itself. */
  const told = async () => {
    const ofPlan = sql`action in ('subscription.paid_after_all', 'subscription.unpaid_again', 'subscription.upgrade_reversed')`;
    const own = and(eq(auditEntries.accountId, publisher.actor.accountId), ofPlan);
    const rows = await db().select().from(auditEntries).where(own).orderBy(auditEntries.id);
    return rows.map(({ action }) => verbOf(action));
  };
  const charges = () => db().$count(sandboxPayments, sql`description like '% plan'`);

  test("a part changes nothing; all of it leaves the plan past due, and paid again a new month begins", async () => {
    const id = await choose("professional");
    const taken = dispute(29_900)[0] ?? expect.fail();
    world.passDays(5);
    await take(id, [{ ...taken, amount: toCents(10_000) }]);
    expect(await held()).toBe("professional active until 2026-12-20");
    await take(id, [taken]);
    expect(await held()).toBe("professional past_due until 2026-12-20");
    expect(await findSubscription(publisher)).toMatchObject({
      overdue: { amount: 29_900, reason: "The last payment for it was taken back." },
    });
    await sound();
    // A card whose payment was disputed is not charged by itself.
    const before = await charges();
    world.passDays(1);
    await renewDueSubscriptions(world.job);
    expect([await charges(), await held()]).toEqual([before, "professional past_due until 2026-12-20"]);
    await payOverdue(publisher, { key: newId(), returnPath: () => "/publisher/billing" });
    expect(await held()).toBe("professional active until 2026-12-26");
    // What comes back now is of a period that is over.
    await take(id, [{ ...taken, amount: toCents(0) }]);
    expect(await held()).toBe("professional active until 2026-12-26");
    expect(await lines(publisher)).toEqual([
      "succeeded -100 Taken back by your bank: Professional plan, Visa •••• 4242",
      "succeeded -199 Taken back by your bank: Professional plan, Visa •••• 4242",
      "succeeded 299 Not taken back after all: Professional plan, Visa •••• 4242",
    ]);
    await sound();
  });

  test("unpaid for a week it ends; won before, it goes on to its own end", async () => {
    const id = await choose("starter");
    const taken = dispute(9_900)[0] ?? expect.fail();
    await take(id, [taken]);
    await take(id, [{ ...taken, amount: toCents(0) }]);
    expect(await held()).toBe("starter active until 2026-12-20");
    await take(id, [taken]);
    for (const days of [1, 2, 4]) {
      world.passDays(days);
      await renewDueSubscriptions(world.job);
    }
    expect(await held()).toBeUndefined();
    await take(id, [{ ...taken, amount: toCents(0) }]);
    expect(await held()).toBeUndefined();
    await sound();
  });

  test("an upgrade is undone, and is there again with its payment", async () => {
    await choose("starter");
    const upgrade = await choose("professional");
    const [row] = await db()
      .select()
      .from(planChanges)
      .where(eq(planChanges.id, upgrade))
      .orderBy(desc(planChanges.id));
    const taken = dispute(row?.amountCents ?? 0)[0] ?? expect.fail();
    await take(upgrade, [taken]);
    expect(await held()).toBe("starter active until 2026-12-20");
    expect(await told()).toEqual(["reduced the plan: the payment for its upgrade was reversed"]);
    await take(upgrade, [{ ...taken, amount: toCents(0) }]);
    expect(await held()).toBe("professional active until 2026-12-20");
    expect((await told()).slice(1)).toEqual(["let the plan go on: what was taken back is there again"]);
    await sound();
  });
});

test("whatever a provider says in whatever order, the steps lead there, and never beyond the payment", () => {
  const taking = fc.record({ reference: fc.constantFrom("a", "b", "c"), amount: fc.nat({ max: 150 }) });
  const saying = fc.uniqueArray(taking, { selector: ({ reference }) => reference, maxLength: 3 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(saying, { maxLength: 6 }), (payment, sayings) => {
      const booked = new Map<string, BookedTaking>();
      const sum = () => [...booked.values()].reduce((all, { amount }) => all + amount, 0);
      const said = new Map<string, number>();
      for (const one of sayings) {
        const takings = one.map(
          ({ reference, amount }): Taking => ({ reference, reason: "refund", amount: toCents(amount) }),
        );
        for (const { reference, amount } of one) said.set(reference, amount);
        const input = { takings, booked: [...booked.values()] };
        for (const { reference, reason, number, amount } of stepsFor(toCents(payment), input).steps) {
          const before = booked.get(reference);
          expect(number).toBe((before?.steps ?? 0) + 1);
          booked.set(reference, { reference, reason, steps: number, amount: toCents((before?.amount ?? 0) + amount) });
          expect(sum()).toBeGreaterThanOrEqual(0);
          expect(sum()).toBeLessThanOrEqual(payment);
        }
        expect(stepsFor(toCents(payment), { takings, booked: [...booked.values()] }).steps).toEqual([]);
        for (const { reference, amount } of booked.values())
          expect(amount).toBeLessThanOrEqual(said.get(reference) ?? 0);
        if (one.reduce((all, { amount }) => all + amount, 0) >= payment && booked.size === one.length)
          expect(sum()).toBe(payment);
      }
    }),
  );
});
