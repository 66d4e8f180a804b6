import { and, asc, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invoiceName, invoiceStatusOf, parseInvoiceName } from "#app/domain/billing/invoices/invoice.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { getInvoice, listInvoiceLines, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { recordInvoicePayment } from "#app/domain/billing/invoices/record-invoice-payment.server.ts";
import { requireOpenInvoice } from "#app/domain/billing/invoices/require-open-invoice.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import type { SandboxToken } from "#app/domain/billing/payments/sandbox-cards.ts";
import { endPayment } from "#app/domain/billing/payments/sandbox-provider.server.ts";
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
import { toCents } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { invoiceRuns, invoices, lineItems, notifications, sandboxPayments, transactions } from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  world = await makeWorld(db());
});

/** A new advertiser that may owe, at noon of November 20. */
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  await db().delete(invoiceRuns);
  advertiser = await mayOwe(100_000);
});

async function mayOwe(dollars: number): Promise<Ctx<AdvertiserActor>> {
  const { accountId, userId } = await newMember("advertiser");
  if (dollars > 0) await setCreditLimit(operator(), { accountId, amount: toCents(dollars * 100) });
  return { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
}

const operator = () => ({ ...asOperator(), clock: world.clock });
const running = (name: string, by = advertiser) =>
  world.aRunningCampaign({
    by,
    changes: { name, start_date: "2026-11-20", end_date: "2027-11-30", budget: 90_000, daily_budget: 9_000 },
  });
/** Spent on a day, and settled in the night after. */
async function spend(id: CampaignId, day: string, dollars: number): Promise<void> {
  world.setNow(`${day}T12:00:00Z`);
  await world.deliver(id, { day: day as CalendarDate, spendMicros: Math.round(dollars * 1e6) });
  world.passDays(0.7);
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
    amount: toCents(dollars * 100),
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
const sound = async () => expect(await checkLedger(world.job)).toEqual([]);

describe("an invoice", () => {
  test("asks for what a month's campaigns came to owe, once the month is over, and is due in 30 days", async () => {
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
    await expectRefusal(getInvoice(world.northwind, id), "not_found");
    expect(await listInvoiceLines(world.northwind, { id })).toEqual([]);
    world.setNow("2027-01-01T00:00:00Z");
    expect((await getInvoice(advertiser, id)).status).toBe("overdue");
    const told = and(
      eq(notifications.accountId, advertiser.actor.accountId),
      eq(notifications.event, "invoice_issued"),
    );
    expect(await db().$count(notifications, told)).toBe(1);
    await sound();
  });

  test("is not for who pays ahead, nor for a month that owes nothing, and what is spent later is on the next", async () => {
    const prepaid = await mayOwe(0);
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
      ["Paid from your wallet, and what was taken off before", -5_000],
    ]);
    await sound();
  });

  test("becomes less by refunds, restatements and top-ups, the oldest first, and no cent is asked for twice", async () => {
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
    await refundSpend(operator(), { lineItemId: item?.id ?? expect.fail(), amount: toCents(2_500) });
    await topUp(30);
    // On no invoice yet, so that it is what the next credit comes off.
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
    await sound();
  });

  test("of a month that the job missed is issued with the next, and what was paid meanwhile comes off at once", async () => {
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
    await sound();
  });

  test("has a number without a gap, also when several processes issue them and some are undone", async () => {
    const who = [advertiser, await mayOwe(500), await mayOwe(500), await mayOwe(500)];
    const ids: CampaignId[] = [];
    for (const one of who) ids.push(await running("Packs", one));
    for (const id of ids) await spend(id, "2026-11-20", 10);
    world.setNow("2026-12-01T02:00:00Z");
    await db().execute(sql`
      create function undo_some() returns trigger language plpgsql as $$ begin
        if new.number % 3 = 0 and random() < 0.7 then raise exception 'undone' using errcode = '40001'; end if; return new; end $$`);
    await db().execute(
      sql`create trigger undoes_some before insert on invoices for each row execute function undo_some()`,
    );
    for (let round = 0; round < 3; round += 1)
      await Promise.allSettled([0, 1, 2, 3].map(() => issueInvoices(world.job)));
    await db().execute(sql`drop trigger undoes_some on invoices; drop function undo_some`);
    await issueInvoices(world.job);
    for (const one of who) expect(await all(one)).toEqual([["2026-11", 1_000, 1_000, "open"]]);
    const numbers = (await db().select().from(invoices).orderBy(asc(invoices.number))).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    await sound();
  });
});

describe("the payment of an invoice", () => {
  let id: InvoiceId;
  beforeEach(async () => {
    await spend(await running("Packs"), "2026-11-20", 100);
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

  test("charges what is open once, however often it is sent, and what is paid cannot be paid again", async () => {
    const payment_method_id = await method();
    const once = () => payInvoice(advertiser, { id, payment_method_id, key: "once", returnPath: () => "/back" });
    const done = await Promise.allSettled(Array.from({ length: 8 }, once));
    expect(new Set(done.map((one) => (one.status === "fulfilled" ? one.value.id : String(one.reason)))).size).toBe(1);
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
    expect([await owed(), await lines()]).toEqual([0, ["succeeded 10000 Payment of invoice it, Visa •••• 4242"]]);
    await expectRefusal(pay(id), "invalid_transition");
    await expectRefusal(recordInvoicePayment(operator(), { number: 1_000_000 }), "not_found");
    await sound();
  });

  test("that is declined leaves it open, and one that needs a confirmation keeps others away until it ends", async () => {
    expect(await pay(id, { token: "tok_declined" })).toMatchObject({ status: "failed" });
    const asked = await pay(id, { token: "tok_confirmation" });
    expect(asked).toMatchObject({ status: "needs_confirmation", invoiceId: id });
    expect((await getInvoice(advertiser, id)).paymentId).toBe(asked.id);
    await expectRefusal(pay(id), "invalid_transition");
    // Less is open by the time it is confirmed: the rest is the wallet's.
    await topUp(30);
    await endPayment(advertiser, { id: asked.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    expect(await finishTopUp(advertiser, asked)).toMatchObject({ status: "succeeded" });
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
    expect((await getWallet(advertiser)).balance).toBe(3_000);
    expect((await lines()).map((line) => line.split(" ")[0])).toEqual(["failed", "succeeded"]);
    await sound();
  });

  test("that ends while another is judged is seen by it: nothing is charged twice", async () => {
    const asked = await pay(id, { token: "tok_confirmation" });
    await endPayment(advertiser, { id: asked.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    // Ends between the first question to the database and whatever is asked after it.
    let ends = () => finishTopUp(advertiser, asked);
    const $count = async (...of: Parameters<Database["$count"]>) => {
      const counted = await db().$count(...of);
      await ends();
      ends = async () => asked;
      return counted;
    };
    const meanwhile = { ...advertiser, db: Object.create(db(), { $count: { value: $count } }) };
    await expectRefusal(requireOpenInvoice(meanwhile, { id, amount: toCents(10_000) }), "invalid_transition");
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
  });

  test("that was cut off after the charge is finished by the job, once", async () => {
    await db().execute(
      sql`create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut' using errcode = 'ZZ001'; end $$`,
    );
    await db().execute(sql`create trigger cuts_off before update on invoices for each row execute function cut_off()`);
    await expect(pay(id)).rejects.toThrow();
    await db().execute(sql`drop trigger cuts_off on invoices; drop function cut_off`);
    expect(await db().$count(sandboxPayments, eq(sandboxPayments.amountCents, 10_000))).toBeGreaterThan(0);
    expect((await all())[0]?.[2]).toBe(10_000);
    world.setNow("2026-12-01T02:05:00Z");
    await Promise.all([0, 1, 2].map(() => finishDueTopUps(world.job)));
    expect(await all()).toEqual([["2026-11", 10_000, 0, "paid"]]);
    await sound();
  });

  test("that came in another way is written down by the operator, once", async () => {
    const number = parseInvoiceName((await getInvoice(advertiser, id)).number) ?? 0;
    const told = await Promise.allSettled([0, 1, 2, 3].map(() => recordInvoicePayment(operator(), { number })));
    expect(told.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([await owed(), await all()]).toEqual([0, [["2026-11", 10_000, 0, "paid"]]]);
    expect(await lines()).toEqual(["succeeded 10000 Payment of invoice it"]);
    await sound();
  });

  test("of another's is refused as if it were not there", async () => {
    const key = { payment_method_id: await method(), key: newId(), returnPath: () => "/back" as const };
    await expectRefusal(payInvoice(world.northwind, { id, ...key }), "not_found");
  });
});

test("an invoice's name is read as people write it", () => {
  expect(["INV-000042", "inv-42", " 42 ", "INV-", "42a", ""].map(parseInvoiceName)).toEqual([
    42,
    42,
    42,
    undefined,
    undefined,
    undefined,
  ]);
  expect(invoiceName(7)).toBe("INV-000007");
  const at = (day: string) =>
    invoiceStatusOf({ open: 1, dueOn: "2026-12-31" as CalendarDate }, new Date(`${day}T23:59:00Z`));
  expect([at("2026-12-31"), at("2027-01-01")]).toEqual(["open", "overdue"]);
});
