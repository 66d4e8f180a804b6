import { eq, inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { recordBalanceReturn } from "#app/domain/billing/bank-transfers/record-balance-return.server.ts";
import { recordRepayment } from "#app/domain/billing/bank-transfers/record-repayment.server.ts";
import { reverseBalanceReturn } from "#app/domain/billing/bank-transfers/reverse-bank-transfer.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listClosedBalances } from "#app/domain/billing/ledger/list-closed-balances.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { payOutRemainder } from "#app/domain/billing/payouts/pay-out-remainder.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { signedAmount } from "#app/domain/billing/transaction.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { type AccountId, type CampaignId, type LineItemId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { accounts, auditEntries, ledgerTransactions, lineItems, payoutAccounts } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let campaign: CampaignId;
let day: CalendarDate;
let lineItemId: LineItemId;
/** What the campaign spent, in dollars, as it was reported last. */
let spent = 0;

const operator = () => ({ ...asOperator(), db: db(), clock: world.clock });
type Who = "harbor" | "northwind" | "fern" | "brightside";
const sendBack = (dollars: number, reference: string, who: Who) =>
  recordBalanceReturn(operator(), {
    accountId: world.accountId(who),
    amount: asCents(Math.round(dollars * 100)),
    reference,
  });
const reverse = (reference: string, who: Who) =>
  reverseBalanceReturn(operator(), { accountId: world.accountId(who), reference });
/** Takes 70 % of it from the publisher. */
const refund = (dollars: number) => refundSpend(operator(), { lineItemId, amount: asCents(dollars * 100) });
/** Reports that the campaign spent more, or less, on its only day. */
async function report(dollars: number): Promise<void> {
  spent += dollars;
  await world.deliver(campaign, { day, spendMicros: spent * 1_000_000 });
}
/** The same, and settles it; 70 % of it is the publisher's, after the hold. */
async function restate(dollars: number): Promise<void> {
  await report(dollars);
  await settleDelivery(world.job);
}
const earnings = () => getPayoutBalance(world.harbor);
const wallet = async () => (await getWallet(world.northwind)).balance;

/** Northwind topped up $1,500 and spent $1,000 at Harbor Goods; both accounts are closed. */
beforeAll(async () => {
  world = await createWorld(db());
  day = world.today();
  const changes = { start_date: day, end_date: day, budget: 90_000, daily_budget: 90_000 };
  campaign = await world.aRunningCampaign({ changes });
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, campaign));
  lineItemId = item?.id ?? expect.fail("no line item");
  const { id: method } = await addPaymentMethod(world.northwind, { token: "tok_visa" });
  const topUp = { amount: asCents(150_000), payment_method_id: method, key: "top-up", returnPath: () => "/" as const };
  await topUpWallet(world.northwind, topUp);
  await report(1_000);
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  await settleDelivery(world.job);
  const both = [world.accountId("harbor"), world.accountId("northwind")];
  await db().delete(payoutAccounts).where(inArray(payoutAccounts.publisherId, both));
  const closed = { status: "suspended", closedAt: world.clock(), creditLimitCents: 0 } as const;
  await db().update(accounts).set(closed).where(inArray(accounts.id, both));
});

test("only what is owed to a closed account is sent back, without what is held or reserved for unsettled spend", async () => {
  await expectDomainError(
    sendBack(1, "BANK 0", "fern"),
    "invalid_transition",
    /not closed\. Pay out its balance instead/,
  );
  await expectDomainError(sendBack(1, "BANK 0", "brightside"), "invalid_transition", /not closed\. Refund its top-ups/);
  const unknown = { accountId: newId<AccountId>(), amount: asCents(100), reference: "BANK 0" };
  await expectDomainError(recordBalanceReturn(operator(), unknown), "not_found", /^Account not found$/);
  const isHeld =
    /^The account is owed \$700\.00, of which \$700\.00 is held for 7 days after its settlement, so no more than \$0/;
  await expectDomainError(sendBack(0.01, "BANK 0", "harbor"), "invalid_input", isHeld);
  world.advanceDays(8);
  const limit = /^The account is owed \$700\.00, so no more than \$700\.00 can be recorded$/;
  await expectDomainError(sendBack(700.01, "BANK 0", "harbor"), "invalid_input", limit);

  await report(200);
  const isReserved = /owed \$500\.00, of which \$200\.00 is reserved for unsettled spend, so no more than \$300\.00/;
  await expectDomainError(sendBack(300.01, "BANK 0", "northwind"), "invalid_input", isReserved);
  await settleDelivery(world.job);
  const settled = /^The account is owed \$300\.00, so no more than \$300\.00/;
  await expectDomainError(sendBack(300.01, "BANK 0", "northwind"), "invalid_input", settled);
  for (const who of ["harbor", "northwind"] as const) {
    for (const wrong of [0, -1])
      await expectDomainError(sendBack(wrong, "BANK 0", who), "invalid_input", /greater than \$0/);
    for (const wrong of [" ", "x".repeat(201)])
      await expectDomainError(sendBack(1, wrong, who), "invalid_input", /reference/);
  }
  await expectDomainError(payOutRemainder(operator(), { accountId: world.accountId("harbor") }), "invalid_transition");
});

test("a return is recorded once per reference, and the books then owe the account nothing", async () => {
  world.advanceDays(8);
  expect(await sendBack(240, " BANK 1 ", "harbor")).toEqual({ replayed: false });
  expect(await sendBack(240, "BANK 1", "harbor")).toEqual({ replayed: true });
  const known = /^BANK 1 was already recorded for \$240\.00 of the account /;
  await expectDomainError(sendBack(239, "BANK 1", "harbor"), "idempotency_conflict", known);
  await expectDomainError(sendBack(240, "BANK 1", "northwind"), "idempotency_conflict", known);
  expect(await earnings()).toMatchObject({ earned: 84_000, held: 0, available: 60_000, paid: 0, returned: 24_000 });
  expect(await sendBack(600, "BANK 2", "harbor")).toEqual({ replayed: false });
  expect(await sendBack(300, "BANK 3", "northwind")).toEqual({ replayed: false });
  expect(await sendBack(300, "BANK 3", "northwind")).toEqual({ replayed: true });
  for (const who of ["harbor", "northwind"] as const)
    await expectDomainError(sendBack(0.01, "BANK 4", who), "invalid_input", /^The account is owed nothing$/);
  expect(await earnings()).toMatchObject({ earned: 84_000, held: 0, available: 0, paid: 0, returned: 84_000 });
  expect(await wallet()).toBe(0);
  expect(await listClosedBalances(operator())).toEqual([]);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("transactions, statements and the audit trail have the returns with their references", async () => {
  const month = calendarMonthOf(world.clock());
  for (const [who, type, amounts] of [
    ["harbor", "publisher", { "BANK 1": 24_000, "BANK 2": 60_000 }],
    ["northwind", "advertiser", { "BANK 3": 30_000 }],
  ] as const) {
    const returns = Object.entries(amounts).map(([reference, cents]) => ({
      description: `Balance returned by bank transfer, reference ${reference}`,
      cents: -cents,
    }));
    const { rows } = await listTransactions(world[who], { limit: 100 });
    const listed = rows
      .filter((row) => row.type === "adjustment")
      .map((row) => ({ description: row.description, cents: signedAmount(row, type) }));
    expect(listed.reverse()).toEqual(returns);
    const lines = (await getStatement(world[who], { month, limit: 100 })).rows.slice(-returns.length);
    expect(lines.map((line) => [statementLabel(line, type), line.description, line.amount])).toEqual(
      returns.map(({ description, cents }) => ["Balance returned", description, cents]),
    );
  }
  const trail = await db().select().from(auditEntries).where(eq(auditEntries.action, "account.balance_returned"));
  expect(trail.map(({ actorKind, accountId, after }) => ({ actorKind, accountId, after }))).toEqual(
    [
      { accountId: world.accountId("harbor"), after: { amount: 240, reference: "BANK 1" } },
      { accountId: world.accountId("harbor"), after: { amount: 600, reference: "BANK 2" } },
      { accountId: world.accountId("northwind"), after: { amount: 300, reference: "BANK 3" } },
    ].map((entry) => ({ actorKind: "operator", ...entry })),
  );
});

test("operators who record returns at once record each once, and no more than is owed beside refunds and settlements", async () => {
  for (let round = 1; round <= 5; round += 1) {
    await restate(100);
    world.advanceDays(8);
    await refund(100);
    expect((await earnings()).available).toBe(0);
    expect(await wallet()).toBe(0);
    await restate(100);
    world.advanceDays(8);
    // The publisher has $70, the advertiser owes $100: the refund takes one and pays the other.
    const results = await Promise.allSettled([
      sendBack(40, `A ${round}`, "harbor"),
      refund(100),
      sendBack(40, `B ${round}`, "harbor"),
      sendBack(1, `C ${round}`, "northwind"),
      settleDelivery(world.job),
    ]);
    expect([results[1].status, results[3].status, results[4].status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const recorded = [results[0], results[2]].filter(({ status }) => status === "fulfilled").length;
    expect(recorded).toBeLessThanOrEqual(1);
    expect((await earnings()).available).toBe(0 - recorded * 4_000);
    const owed = { accountId: world.accountId("harbor"), amount: asCents(4_000), reference: `REST ${round}` };
    if (recorded > 0) await recordRepayment(operator(), owed);

    const refunded = await Promise.allSettled([
      sendBack(60, `D ${round}`, "northwind"),
      refund(100),
      sendBack(60, `E ${round}`, "northwind"),
    ]);
    const returned = [refunded[0], refunded[2]].filter(({ status }) => status === "fulfilled").length;
    expect(returned).toBeLessThanOrEqual(1);
    expect(await wallet()).toBe(10_000 - returned * 6_000);
    const rest = (10_000 - returned * 6_000) / 100;
    const same = await Promise.all([0, 1, 2].map(() => sendBack(rest, `SAME ${round}`, "northwind")));
    expect(same.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const debt = { accountId: world.accountId("harbor"), amount: asCents(7_000), reference: `DEBT ${round}` };
    await recordRepayment(operator(), debt);
    expect((await earnings()).available).toBe(0);
    expect(await wallet()).toBe(0);
  }
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a return is reversed once, is owed again, and its reference can be recorded and reversed again", async () => {
  await expectDomainError(reverse("BANK 9", "harbor"), "not_found", /^Return of the balance not found$/);
  await expectDomainError(reverse("BANK 1", "northwind"), "not_found");
  const before = await earnings();
  const results = await Promise.all([0, 1, 2].map(() => reverse(" BANK 1 ", "harbor")));
  expect(results.map(({ amount }) => amount)).toEqual([24_000, 24_000, 24_000]);
  expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const owed = { available: 24_000, earned: before.earned, returned: before.returned - 24_000 };
  expect(await earnings()).toMatchObject(owed);
  expect(await checkLedger(world.job)).toEqual([]);
  const { rows } = await listTransactions(world.harbor, { limit: 1 });
  expect(rows.map((row) => ({ ...row, signed: signedAmount(row, "publisher") }))).toMatchObject([
    {
      type: "adjustment",
      description: "Reversed return of the balance by bank transfer, reference BANK 1",
      signed: 24_000,
    },
  ]);
  const trail = await db()
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.action, "account.balance_return_reversed"));
  expect(trail.map(({ accountId, after }) => ({ accountId, after }))).toEqual([
    { accountId: world.accountId("harbor"), after: { amount: 240, reference: "BANK 1" } },
  ]);

  expect(await sendBack(240, "BANK 1", "harbor")).toEqual({ replayed: false });
  expect(await sendBack(240, "BANK 1", "harbor")).toEqual({ replayed: true });
  expect(await earnings()).toMatchObject({ available: 0, returned: before.returned });
  expect(await reverse("BANK 1", "harbor")).toEqual({ amount: 24_000, replayed: false });
  expect(await reverse("BANK 1", "harbor")).toEqual({ amount: 24_000, replayed: true });
  expect(await earnings()).toMatchObject(owed);
  expect(await sendBack(240, "BANK 5", "harbor")).toEqual({ replayed: false });
  expect(await checkLedger(world.job)).toEqual([]);
});

test("what comes back to a closed advertiser pays its debt first", async () => {
  await restate(100);
  expect(await getWallet(world.northwind)).toMatchObject({ balance: -10_000, owed: 10_000 });
  expect(await reverse("BANK 3", "northwind")).toEqual({ amount: 30_000, replayed: false });
  expect(await getWallet(world.northwind)).toMatchObject({ balance: 20_000, owed: 0 });
  const settled = eq(ledgerTransactions.event, "receivable_settled");
  expect((await db().select().from(ledgerTransactions).where(settled)).length).toBeGreaterThan(0);
  await expectDomainError(sendBack(300, "BANK 3", "northwind"), "invalid_input", /owed \$200\.00/);
  expect(await sendBack(200, "BANK 3", "northwind")).toEqual({ replayed: false });
  const month = calendarMonthOf(world.clock());
  const { rows, closing } = await getStatement(world.northwind, { month, limit: 100 });
  expect(rows.slice(-2).map((line) => [statementLabel(line, "advertiser"), line.amount])).toEqual([
    ["Balance return reversed", 30_000],
    ["Balance returned", -20_000],
  ]);
  expect(closing).toBe(0);
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db.owner())).toEqual({});
});
