import { and, asc, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deriveInvoiceStatus, formatInvoiceNumber, parseInvoiceNumber } from "#app/domain/billing/invoices/invoice.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { getInvoice, listInvoiceLines, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { recordInvoicePayment } from "#app/domain/billing/invoices/record-invoice-payment.server.ts";
import { requireOpenInvoice } from "#app/domain/billing/invoices/require-open-invoice.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { type CampaignId, type InvoiceId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import type { SandboxToken } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import { resolveSandboxPayment } from "#app/domain/payments/sandbox/sandbox-provider.server.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import type { Database } from "#db/client.server.ts";
import { invoiceRuns, invoices, lineItems, notifications, sandboxPayments, transactions } from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  world = await createWorld(db());
});

/** A new advertiser with a credit limit, at noon of November 20. */
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  await db().delete(invoiceRuns);
  advertiser = await createAdvertiserWithCredit(100_000);
});

async function createAdvertiserWithCredit(dollars: number): Promise<Ctx<AdvertiserActor>> {
  const { accountId, userId } = await newMember("advertiser");
  if (dollars > 0) await setCreditLimit(operator(), { accountId, amount: asCents(dollars * 100) });
  return { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
}

const operator = () => ({ ...asOperator(), clock: world.clock });
const running = (name: string, by = advertiser) =>
  world.aRunningCampaign({
    by,
    changes: { name, start_date: "2026-11-20", end_date: "2027-11-30", budget: 90_000, daily_budget: 9_000 },
  });
/** Delivers spend on one day and settles it in the following night. */
async function spend(id: CampaignId, day: string, dollars: number): Promise<void> {
  world.setNow(`${day}T12:00:00Z`);
  await world.deliver(id, { day: day as CalendarDate, spendMicros: Math.round(dollars * 1e6) });
  world.advanceDays(0.7);
  await settleDelivery(world.job);
}
const issueOn = async (instant: string) => {
  world.setNow(instant);
  return issueInvoices(world.job);
};
const all = async (who = advertiser) =>
  (await listInvoices(who, {})).rows.map(({ month, amount, open, status }) => [
    month.slice(0, 7),
    amount,
    open,
    status,
  ]);
const newest = async () => (await listInvoices(advertiser, { limit: 1 })).rows[0]?.id ?? expect.fail();
const linesOf = async (id: InvoiceId) =>
  (await listInvoiceLines(advertiser, { id })).map(({ description, amount }) => [description, amount]);
const method = async (token: SandboxToken = "tok_visa") => (await addPaymentMethod(advertiser, { token })).id;
const topUp = async (dollars: number) =>
  topUpWallet(advertiser, {
    amount: asCents(dollars * 100),
    payment_method_id: await method(),
    key: newId(),
    returnPath: () => "/back",
  });
const pay = async (id: InvoiceId, more: { token?: SandboxToken; key?: string } = {}) =>
  payInvoice(advertiser, {
    id,
    payment_method_id: await method(more.token),
    key: more.key ?? newId(),
    returnPath: () => "/back",
  });
const owed = async () => (await getWallet(advertiser)).owed;
const expectConsistentLedger = async () => expect(await checkLedger(world.job)).toEqual([]);

describe("an invoice", () => {
  test("names what adjusts a closed month in lines of their own, and each only once", async () => {
    const packs = await running("Packs");
    await spend(packs, "2026-11-20", 100);
    await issueOn("2026-12-01T02:00:00Z");
    world.setNow("2027-01-20T12:00:00Z");
    await world.deliver(packs, { day: "2026-11-20" as CalendarDate, spendMicros: 130_000_000 });
    await world.deliver(packs, { day: "2027-01-19" as CalendarDate, spendMicros: 5_000_000 });
    await settleDelivery(world.job);
    await issueOn("2027-02-01T02:00:00Z");
    expect(await linesOf(await newest())).toEqual([
      ["Packs", 500],
      ["Packs (Adjustment for November 2026)", 3_000],
    ]);
    world.setNow("2027-02-10T12:00:00Z");
    await world.deliver(packs, { day: "2026-11-20" as CalendarDate, spendMicros: 131_000_000 });
    await settleDelivery(world.job);
    await issueOn("2027-03-01T02:00:00Z");
    expect(await linesOf(await newest())).toEqual([["Packs (Adjustment for November 2026)", 100]]);
    await expectConsistentLedger();
  });

  test("is an event of the account's webhooks, with its id", async () => {
    const { webhook } = await createWebhook(advertiser, {
      url: "https://hooks.example.com/",
      events: ["invoice.issued"],
    });
    await spend(await running("Packs"), "2026-11-20", 100);
    await issueOn("2026-12-01T02:00:00Z");
    const { rows } = await listWebhookDeliveries(advertiser, { webhookId: webhook.id });
    expect(rows.map(({ body }) => JSON.parse(body).data)).toEqual([
      { invoice_id: await newest(), amount: 100, day: "2026-12-31" },
    ]);
  });

  test("covers the debt of a month's campaigns, once the month is over, and is due in 30 days", async () => {
    const [packs, tents] = [await running("Packs"), await running("Tents")];
    await spend(packs, "2026-11-20", 100.25);
    await spend(tents, "2026-11-21", 40);
    await spend(packs, "2026-11-22", 10);
    expect(await issueOn("2026-12-01T00:59:00Z")).toBe(0);
    await db().delete(invoiceRuns);
    expect(await issueOn("2026-12-01T01:00:00Z")).toBeGreaterThan(0);
    expect(await issueInvoices(world.job)).toBe(0);
    const id = await newest();
    expect(await getInvoice(advertiser, id)).toMatchObject({
      month: "2026-11-01",
      amount: 15_025,
      open: 15_025,
      dueOn: "2026-12-31",
      status: "open",
      lines: 2,
      number: expect.stringMatching(/^INV-\d{6}$/),
    });
    expect(await linesOf(id)).toEqual([
      ["Packs", 11_025],
      ["Tents", 4_000],
    ]);
    await expectDomainError(getInvoice(world.northwind, id), "not_found");
    expect(await listInvoiceLines(world.northwind, { id })).toEqual([]);
    world.setNow("2027-01-01T00:00:00Z");
    expect((await getInvoice(advertiser, id)).status).toBe("overdue");
    const invoiceNotifications = and(
      eq(notifications.accountId, advertiser.actor.accountId),
      eq(notifications.event, "invoice_issued"),
    );
    expect(await db().$count(notifications, invoiceNotifications)).toBe(1);
    await expectConsistentLedger();
  });

  test("is not issued to advertisers who prepay, nor for a month without debt, and later spend is on the next", async () => {
    const prepaid = await createAdvertiserWithCredit(0);
    const [ahead, packs] = [await running("Ahead", prepaid), await running("Packs")];
    await spend(ahead, "2026-11-20", 50);
    await spend(packs, "2026-11-20", 50);
    await topUp(50);
    await issueOn("2026-12-01T02:00:00Z");
    expect([await all(), await all(prepaid)]).toEqual([[], []]);
    await spend(packs, "2026-12-05", 70);
    await issueOn("2027-01-01T02:00:00Z");
    expect(await all()).toEqual([["2026-12", 7_000, 7_000, "open"]]);
    expect(await linesOf(await newest())).toEqual([
      ["Packs", 12_000],
      ["Paid from your wallet", -5_000],
    ]);
    await expectConsistentLedger();
  });

  test("is issued for what was spent on credit that was withdrawn since", async () => {
    const packs = await running("Packs");
    await spend(packs, "2026-11-20", 100);
    await setCreditLimit(operator(), { accountId: advertiser.actor.accountId, amount: asCents(0) });
    await issueOn("2026-12-01T02:00:00Z");
    expect(await all()).toEqual([["2026-11", 10_000, 10_000, "open"]]);
    expect(await linesOf(await newest())).toEqual([["Packs", 10_000]]);
    await expectConsistentLedger();
  });

  test("is reduced by refunds, restatements and top-ups, the oldest first, and no cent is charged twice", async () => {
    const packs = await running("Packs");
    await spend(packs, "2026-11-20", 100);
    await issueOn("2026-12-01T02:00:00Z");
    await spend(packs, "2026-12-05", 60);
    await issueOn("2027-01-01T02:00:00Z");
    expect(await all()).toEqual([
      ["2026-12", 6_000, 6_000, "open"],
      ["2026-11", 10_000, 10_000, "overdue"],
    ]);
    const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, packs));
    await refundSpend(operator(), { lineItemId: item?.id ?? expect.fail(), amount: asCents(2_500) });
    await topUp(30);
    // This spend is on no invoice yet, so that the next credit reduces it.
    await spend(packs, "2027-01-03", 20);
    await topUp(25);
    expect(await all()).toEqual([
      ["2026-12", 6_000, 6_000, "open"],
      ["2026-11", 10_000, 4_000, "overdue"],
    ]);
    await topUp(70);
    expect(await all()).toEqual([
      ["2026-12", 6_000, 3_000, "open"],
      ["2026-11", 10_000, 0, "paid"],
    ]);
    expect(await issueOn("2027-02-01T02:00:00Z")).toBe(0);
    await spend(packs, "2027-02-03", 5);
    await issueOn("2027-03-01T02:00:00Z");
    expect((await all())[0]).toEqual(["2027-02", 500, 500, "open"]);
    expect(await owed()).toBe(3_500);
    await expectConsistentLedger();
  });

  test("names what was credited to an earlier invoice apart from what the wallet paid", async () => {
    const [packs, tents] = [await running("Packs"), await running("Tents")];
    await spend(packs, "2026-11-20", 100);
    await issueOn("2026-12-01T02:00:00Z");
    world.setNow("2026-12-03T12:00:00Z");
    await world.deliver(packs, { day: "2026-11-20" as CalendarDate, spendMicros: 50_000_000 });
    await settleDelivery(world.job);
    const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, packs));
    await refundSpend(operator(), { lineItemId: item?.id ?? expect.fail(), amount: asCents(2_000) });
    await topUp(10);
    expect(await all()).toEqual([["2026-11", 10_000, 2_000, "open"]]);
    await spend(tents, "2026-12-05", 200);
    await issueOn("2027-01-01T02:00:00Z");
    expect(await linesOf(await newest())).toEqual([
      ["Packs", -7_000],
      ["Tents", 20_000],
      ["Already credited to earlier invoices", 8_000],
      ["Paid from your wallet", -1_000],
    ]);
    await spend(tents, "2027-01-05", 30);
    await issueOn("2027-02-01T02:00:00Z");
    expect(await linesOf(await newest())).toEqual([["Tents", 3_000]]);
    await expectConsistentLedger();
  });

  test("of a month that the job missed is issued with the next, less what was paid meanwhile", async () => {
    const packs = await running("Packs");
    await spend(packs, "2026-11-20", 100);
    world.setNow("2026-12-01T00:10:00Z");
    await topUp(40);
    await issueOn("2026-12-02T02:00:00Z");
    expect(await all()).toEqual([["2026-11", 10_000, 6_000, "open"]]);
    await spend(packs, "2026-12-05", 30);
    await issueOn("2027-03-01T02:00:00Z");
    expect((await all())[0]).toEqual(["2027-02", 3_000, 3_000, "open"]);
    expect(await owed()).toBe(9_000);
    await expectConsistentLedger();
  });

  test("has a number without gaps, also when several processes issue invoices and some roll back", async () => {
    const who = [
      advertiser,
      await createAdvertiserWithCredit(500),
      await createAdvertiserWithCredit(500),
      await createAdvertiserWithCredit(500),
    ];
    const ids: CampaignId[] = [];
    for (const one of who) ids.push(await running("Packs", one));
    for (const id of ids) await spend(id, "2026-11-20", 10);
    world.setNow("2026-12-01T02:00:00Z");
    await db.owner().execute(sql`
      create function undo_some() returns trigger language plpgsql as $$ begin
        if new.number % 3 = 0 and random() < 0.7 then raise exception 'undone' using errcode = '40001'; end if; return new; end $$`);
    await db
      .owner()
      .execute(sql`create trigger undoes_some before insert on invoices for each row execute function undo_some()`);
    for (let round = 0; round < 3; round += 1)
      await Promise.allSettled([0, 1, 2, 3].map(() => issueInvoices(world.job)));
    await db.owner().execute(sql`drop trigger undoes_some on invoices; drop function undo_some`);
    await issueInvoices(world.job);
    for (const one of who) expect(await all(one)).toEqual([["2026-11", 1_000, 1_000, "open"]]);
    const numbers = (await db().select().from(invoices).orderBy(asc(invoices.number))).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, statusAt) => statusAt + 1));
    await expectConsistentLedger();
  });
});

describe("the payment of an invoice", () => {
  let packs: CampaignId;
  let id: InvoiceId;
  beforeEach(async () => {
    packs = await running("Packs");
    await spend(packs, "2026-11-20", 100);
    await issueOn("2026-12-01T02:00:00Z");
    id = await newest();
  });
  const lines = async () => {
    const own = and(eq(transactions.accountId, advertiser.actor.accountId), eq(transactions.type, "adjustment"));
    const rows = await db().select().from(transactions).where(own).orderBy(asc(transactions.id));
    return rows.map(
      ({ status, amountCents, description }) => `${status} ${amountCents} ${description.replace(/INV-\d+/, "it")}`,
    );
  };

  test("charges the amount due once, however often it is sent, and a paid invoice cannot be paid again", async () => {
    const payment_method_id = await method();
    const once = () => payInvoice(advertiser, { id, payment_method_id, key: "once", returnPath: () => "/back" });
    const done = await Promise.allSettled(Array.from({ length: 8 }, once));
    expect(new Set(done.map((one) => (one.status === "fulfilled" ? one.value.id : String(one.reason)))).size).toBe(1);
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
    expect([await owed(), await lines()]).toEqual([0, ["succeeded 10000 Payment of invoice it, Visa •••• 4242"]]);
    await expectDomainError(pay(id), "invalid_transition");
    await expectDomainError(recordInvoicePayment(operator(), { number: 1_000_000 }), "not_found");
    await expectConsistentLedger();
  });

  test("that is declined leaves the invoice open, and one that needs confirmation blocks others until it ends", async () => {
    expect(await pay(id, { token: "tok_declined" })).toMatchObject({ status: "failed" });
    const asked = await pay(id, { token: "tok_confirmation" });
    expect(asked).toMatchObject({ status: "needs_confirmation", invoiceId: id });
    expect((await getInvoice(advertiser, id)).paymentId).toBe(asked.id);
    await expectDomainError(pay(id), "invalid_transition");
    // Less is open when the payment is confirmed, so that the rest goes into the wallet.
    await topUp(30);
    await resolveSandboxPayment(advertiser, { id: asked.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    expect(await finishTopUp(advertiser, asked)).toMatchObject({ status: "succeeded" });
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
    expect((await getWallet(advertiser)).balance).toBe(3_000);
    expect((await lines()).map((line) => line.split(" ")[0])).toEqual(["failed", "succeeded"]);
    await expectConsistentLedger();
  });

  test("pays the account's other invoices with what its own no longer takes", async () => {
    const asked = await pay(id, { token: "tok_confirmation" });
    await spend(packs, "2026-12-05", 80);
    await issueOn("2027-01-01T02:00:00Z");
    await topUp(60);
    expect(await all()).toEqual([
      ["2026-12", 8_000, 8_000, "open"],
      ["2026-11", 10_000, 4_000, "overdue"],
    ]);
    await resolveSandboxPayment(advertiser, { id: asked.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    expect(await finishTopUp(advertiser, asked)).toMatchObject({ status: "succeeded" });
    expect(await all()).toEqual([
      ["2026-12", 8_000, 2_000, "open"],
      ["2026-11", 10_000, 0, "paid"],
    ]);
    expect(await getWallet(advertiser)).toMatchObject({ balance: -2_000, owed: 2_000 });
    await expectConsistentLedger();
  });

  test("that ends while another is processed is seen by it: nothing is charged twice", async () => {
    const asked = await pay(id, { token: "tok_confirmation" });
    await resolveSandboxPayment(advertiser, { id: asked.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    // Ends between the first question to the database and whatever is asked after it.
    let ends = () => finishTopUp(advertiser, asked);
    const $count = async (...of: Parameters<Database["$count"]>) => {
      const counted = await db().$count(...of);
      await ends();
      ends = async () => asked;
      return counted;
    };
    const meanwhile = { ...advertiser, db: Object.create(db(), { $count: { value: $count } }) };
    await expectDomainError(requireOpenInvoice(meanwhile, { id, amount: asCents(10_000) }), "invalid_transition");
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
  });

  test("that was interrupted after the charge is finished by the job, once", async () => {
    await db
      .owner()
      .execute(
        sql`create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut' using errcode = 'ZZ001'; end $$`,
      );
    await db
      .owner()
      .execute(sql`create trigger cuts_off before update on invoices for each row execute function cut_off()`);
    await expect(pay(id)).rejects.toThrow();
    await db.owner().execute(sql`drop trigger cuts_off on invoices; drop function cut_off`);
    expect(await db().$count(sandboxPayments, eq(sandboxPayments.amountCents, 10_000))).toBeGreaterThan(0);
    expect((await all())[0]?.[2]).toBe(10_000);
    world.setNow("2026-12-01T02:05:00Z");
    await Promise.all([0, 1, 2].map(() => finishDueTopUps(world.job)));
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
    await expectConsistentLedger();
  });

  test("by bank transfer is recorded by the operator, once", async () => {
    const number = parseInvoiceNumber((await getInvoice(advertiser, id)).number) ?? 0;
    const results = await Promise.allSettled([0, 1, 2, 3].map(() => recordInvoicePayment(operator(), { number })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([await owed(), await all()]).toEqual([0, [["2026-11", 10_000, 0, "paid"]]]);
    expect(await lines()).toEqual(["succeeded 10000 Payment of invoice it"]);
    await expectConsistentLedger();
  });

  test("for another account's invoice is rejected as not found", async () => {
    const key = { payment_method_id: await method(), key: newId(), returnPath: () => "/back" as const };
    await expectDomainError(payInvoice(world.northwind, { id, ...key }), "not_found");
  });
});

test("an invoice number is parsed as people write it", () => {
  expect(["INV-000042", "inv-42", " 42 ", "INV-", "42a", ""].map(parseInvoiceNumber)).toEqual([
    42,
    42,
    42,
    undefined,
    undefined,
    undefined,
  ]);
  expect(formatInvoiceNumber(7)).toBe("INV-000007");
  const statusAt = (day: string) =>
    deriveInvoiceStatus({ open: 1, dueOn: "2026-12-31" as CalendarDate }, new Date(`${day}T23:59:00Z`));
  expect([statusAt("2026-12-31"), statusAt("2027-01-01")]).toEqual(["open", "overdue"]);
});
