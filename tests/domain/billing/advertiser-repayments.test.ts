import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { recordRepayment } from "#app/domain/billing/bank-transfers/record-repayment.server.ts";
import { reverseRepayment } from "#app/domain/billing/bank-transfers/reverse-bank-transfer.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { listInvoiceLines, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listClosedBalances } from "#app/domain/billing/ledger/list-closed-balances.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { signedAmount } from "#app/domain/billing/transaction.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { type AccountId, type CampaignId, type LineItemId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { accounts, auditEntries, lineItems } from "#db/schema/index.ts";
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
const repay = (dollars: number, reference: string, accountId = world.accountId("northwind")) =>
  recordRepayment(operator(), { accountId, amount: asCents(Math.round(dollars * 100)), reference });
const reverse = (reference: string) =>
  reverseRepayment(operator(), { accountId: world.accountId("northwind"), reference });
const refund = (dollars: number) => refundSpend(operator(), { lineItemId, amount: asCents(dollars * 100) });
/** Reports that the campaign spent more, or less, on its only day, and settles it. */
async function restate(dollars: number): Promise<void> {
  spent += dollars;
  await world.deliver(campaign, { day, spendMicros: spent * 1_000_000 });
  await settleDelivery(world.job);
}
const wallet = () => getWallet(world.northwind);

/** Northwind's campaign spent nothing by its end; the account is closed without a balance. */
beforeAll(async () => {
  world = await createWorld(db());
  day = world.today();
  const changes = { start_date: day, end_date: day, budget: 90_000, daily_budget: 90_000 };
  campaign = await world.aRunningCampaign({ changes });
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, campaign));
  lineItemId = item?.id ?? expect.fail("no line item");
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  const closed = { status: "suspended", closedAt: world.clock(), creditLimitCents: 0 } as const;
  await db()
    .update(accounts)
    .set(closed)
    .where(eq(accounts.id, world.accountId("northwind")));
});

test("what a closed advertiser repays is recorded once per reference, never for more than it owes", async () => {
  await expectDomainError(repay(1, "BANK 0", newId<AccountId>()), "not_found", /^Account not found$/);
  const isOpen = /^The account is not closed\. Have it top up its wallet/;
  await expectDomainError(repay(1, "BANK 0", world.accountId("brightside")), "invalid_transition", isOpen);
  await expectDomainError(repay(1, "BANK 0"), "invalid_input", /^The account owes nothing$/);
  await restate(300);
  for (const wrong of [0, -1]) await expectDomainError(repay(wrong, "BANK 0"), "invalid_input", /greater than \$0/);
  await expectDomainError(repay(300.01, "BANK 0"), "invalid_input", /^The account owes \$300\.00, so no more/);
  expect(await repay(100, " BANK 1 ")).toEqual({ replayed: false });
  expect(await repay(100, "BANK 1")).toEqual({ replayed: true });
  await expectDomainError(repay(99, "BANK 1"), "idempotency_conflict", /^BANK 1 was already recorded for \$100\.00 of/);
  await expectDomainError(repay(100, "BANK 1", world.accountId("harbor")), "idempotency_conflict");
  expect(await wallet()).toMatchObject({ balance: -20_000, owed: 20_000 });
  expect(await repay(200, "BANK 2")).toEqual({ replayed: false });
  expect(await wallet()).toMatchObject({ balance: 0, owed: 0 });
  expect(await listClosedBalances(operator())).toEqual([]);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("transactions, the statement and the audit trail have the repayments with their references", async () => {
  const amounts = { "BANK 1": 10_000, "BANK 2": 20_000 };
  const repaid = Object.entries(amounts).map(([reference, cents]) => ({
    description: `Repayment by bank transfer, reference ${reference}`,
    cents,
  }));
  const { rows } = await listTransactions(world.northwind, { limit: 100 });
  const listed = rows
    .filter((row) => row.type === "adjustment")
    .map((row) => ({ description: row.description, cents: signedAmount(row, "advertiser") }));
  expect(listed.reverse()).toEqual(repaid);
  const month = calendarMonthOf(world.clock());
  const { rows: lines, closing } = await getStatement(world.northwind, { month, limit: 100 });
  expect(lines.slice(-2).map((line) => [statementLabel(line, "advertiser"), line.description, line.amount])).toEqual(
    repaid.map(({ description, cents }) => ["Repayment", description, cents]),
  );
  expect(closing).toBe(0);
  const trail = await db().select().from(auditEntries).where(eq(auditEntries.action, "account.repaid"));
  expect(trail.map(({ actorKind, accountId, after }) => ({ actorKind, accountId, after }))).toEqual(
    [
      { amount: 100, reference: "BANK 1" },
      { amount: 200, reference: "BANK 2" },
    ].map((after) => ({ actorKind: "operator", accountId: world.accountId("northwind"), after })),
  );
});

test("operators who record transfers at once record each once, and no more than is owed beside refunds", async () => {
  for (let round = 1; round <= 5; round += 1) {
    await restate(100);
    const results = await Promise.allSettled([
      repay(60, `A ${round}`),
      refund(20),
      repay(60, `B ${round}`),
      settleDelivery(world.job),
    ]);
    expect(results[1].status).toBe("fulfilled");
    expect([results[0], results[2]].filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await wallet()).toMatchObject({ balance: -2_000, owed: 2_000 });
    const same = await Promise.all([0, 1, 2].map(() => repay(20, `SAME ${round}`)));
    expect(same.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await wallet()).owed).toBe(0);
  }
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a reversed repayment is taken from the wallet first, is owed again, and can be recorded again", async () => {
  await expectDomainError(reverse("BANK 9"), "not_found", /^Repayment not found$/);
  await refund(50);
  expect(await wallet()).toMatchObject({ balance: 5_000, owed: 0 });
  const results = await Promise.all([0, 1, 2].map(() => reverse(" BANK 2 ")));
  expect(results.map(({ amount }) => amount)).toEqual([20_000, 20_000, 20_000]);
  expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await wallet()).toMatchObject({ balance: -15_000, owed: 15_000 });
  const { rows } = await listTransactions(world.northwind, { limit: 1 });
  expect(rows.map((row) => ({ ...row, signed: signedAmount(row, "advertiser") }))).toMatchObject([
    { type: "adjustment", description: "Reversed repayment by bank transfer, reference BANK 2", signed: -20_000 },
  ]);
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await repay(150, "BANK 2")).toEqual({ replayed: false });
  expect(await reverse("BANK 2")).toEqual({ amount: 15_000, replayed: false });
  expect(await reverse("BANK 2")).toEqual({ amount: 15_000, replayed: true });
  expect(await repay(150, "BANK 2")).toEqual({ replayed: false });
  expect(await wallet()).toMatchObject({ balance: 0, owed: 0 });
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a repayment reduces open invoices, and the next invoice names it", async () => {
  await db()
    .update(accounts)
    .set({ creditLimitCents: 100 })
    .where(eq(accounts.id, world.accountId("northwind")));
  await restate(80);
  world.setNow("2026-12-01T02:00:00Z");
  expect(await issueInvoices(world.job)).toBe(1);
  const open = async () => (await listInvoices(world.northwind, {})).rows.map((row) => row.open);
  expect(await open()).toEqual([8_000]);
  await repay(30, "BANK 3");
  expect(await open()).toEqual([5_000]);
  expect(await checkLedger(world.job)).toEqual([]);
  await restate(40);
  world.setNow("2027-01-01T02:00:00Z");
  expect(await issueInvoices(world.job)).toBe(1);
  const [invoice] = (await listInvoices(world.northwind, { limit: 1 })).rows;
  const lines = await listInvoiceLines(world.northwind, { id: invoice?.id ?? expect.fail("no invoice") });
  expect(lines.map(({ description, amount }) => [description, amount])).toEqual([
    ["Ridgeline Packs", 4_000],
    ["Already credited to earlier invoices", 3_000],
    ["Paid by bank transfer", -3_000],
  ]);
  await repay(90, "BANK 4");
  expect(await open()).toEqual([0, 0]);
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db.owner())).toEqual({});
});
