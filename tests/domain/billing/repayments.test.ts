import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { recordRepayment } from "#app/domain/billing/bank-transfers/record-repayment.server.ts";
import { reverseRepayment } from "#app/domain/billing/bank-transfers/reverse-bank-transfer.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { signedAmount } from "#app/domain/billing/transaction.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import type { CampaignId, LineItemId, PayoutId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { listErasureBlockers } from "#app/domain/privacy/list-erasure-blockers.server.ts";
import { auditEntries, lineItems, repayments } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let campaign: CampaignId;
let lineItemId: LineItemId;

const operator = () => ({ ...asOperator(), db: db(), clock: world.clock });
const repay = (dollars: number, reference: string, who: "harbor" | "fern" = "harbor") =>
  recordRepayment(operator(), { accountId: world.accountId(who), amount: asCents(dollars * 100), reference });
const reverse = (reference: string, who: "harbor" | "fern" = "harbor") =>
  reverseRepayment(operator(), { accountId: world.accountId(who), reference });
/** Takes 70 % of it from the publisher. */
const refund = (dollars: number) => refundSpend(operator(), { lineItemId, amount: asCents(dollars * 100) });
const balance = () => getPayoutBalance(world.harbor);
/** Earns 70 % of it, and waits until it is released. */
async function earn(dollars: number): Promise<void> {
  await world.deliver(campaign, { spendMicros: dollars * 1_000_000 });
  world.advanceDays(1);
  await settleDelivery(world.job);
  world.advanceDays(8);
}
async function requestAndSend(token: "bank_sandbox" | "bank_closed"): Promise<PayoutId> {
  await setPayoutAccount(world.harbor, { token });
  const { id } = await requestPayout(world.harbor, {});
  while ((await sendDuePayouts(world.job)) > 0);
  return id;
}

/** Harbor Goods was paid $700, of which $350 were refunded afterwards. */
beforeAll(async () => {
  world = await createWorld(db());
  const changes = { start_date: world.today(), end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
  campaign = await world.aRunningCampaign({ changes });
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, campaign));
  lineItemId = item?.id ?? expect.fail("no line item");
  await earn(1_000);
  await requestAndSend("bank_sandbox");
  await refund(500);
});

test("a repayment is recorded once per reference, never for more than is owed, and settles the balance", async () => {
  await expectDomainError(repay(1, "BANK 0", "fern"), "invalid_input", /^The account owes nothing$/);
  await expectDomainError(repay(0, "BANK 0"), "invalid_input", /greater than \$0/);
  await expectDomainError(repay(-1, "BANK 0"), "invalid_input", /greater than \$0/);
  await expectDomainError(repay(350.01, "BANK 0"), "invalid_input", /^The account owes \$350\.00, so no more/);
  for (const wrong of [" ", "x".repeat(201)]) await expectDomainError(repay(1, wrong), "invalid_input", /reference/);
  expect(await listErasureBlockers(world.harbor)).toContain("debt");

  expect(await repay(100, " BANK 1 ")).toEqual({ replayed: false });
  expect(await repay(100, "BANK 1")).toEqual({ replayed: true });
  await expectDomainError(repay(99, "BANK 1"), "idempotency_conflict", /^BANK 1 was already recorded for \$100\.00 of/);
  await expectDomainError(repay(100, "BANK 1", "fern"), "idempotency_conflict");
  expect(await balance()).toMatchObject({ earned: 35_000, available: -25_000, paid: 70_000, repaid: 10_000 });
  expect(await repay(250, "BANK 2")).toEqual({ replayed: false });
  expect(await repay(250, "BANK 2")).toEqual({ replayed: true });
  await expectDomainError(repay(0.01, "BANK 3"), "invalid_input", /^The account owes nothing$/);
  expect(await balance()).toMatchObject({ earned: 35_000, held: 0, available: 0, paid: 70_000, repaid: 35_000 });
  expect(await listErasureBlockers(world.harbor)).not.toContain("debt");
});

test("the publisher sees its repayments among its transactions and on its statement, and the trail has them", async () => {
  const { rows } = await listTransactions(world.harbor, { limit: 2 });
  expect(rows.map((row) => ({ ...row, signed: signedAmount(row, "publisher") }))).toMatchObject([
    { type: "adjustment", description: "Repayment by bank transfer, reference BANK 2", signed: 25_000 },
    { type: "adjustment", description: "Repayment by bank transfer, reference BANK 1", signed: 10_000 },
  ]);
  const month = calendarMonthOf(world.clock());
  const lines = (await getStatement(world.harbor, { month, limit: 100 })).rows.filter(({ amount }) => amount > 0);
  expect(lines.slice(-2).map((line) => [statementLabel(line, "publisher"), line.amount, line.description])).toEqual([
    ["Repayment", 10_000, "Repayment by bank transfer, reference BANK 1"],
    ["Repayment", 25_000, "Repayment by bank transfer, reference BANK 2"],
  ]);
  const trail = await db().select().from(auditEntries).where(eq(auditEntries.action, "account.repaid"));
  expect(trail.map(({ actorKind, accountId, after }) => ({ actorKind, accountId, after }))).toEqual(
    [
      { amount: 100, reference: "BANK 1" },
      { amount: 250, reference: "BANK 2" },
    ].map((after) => ({ actorKind: "operator", accountId: world.accountId("harbor"), after })),
  );
  expect(await checkLedger(world.job)).toEqual([]);
});

test("operators who record transfers at once record each of them once, and no more than is owed beside refunds", async () => {
  for (let round = 1; round <= 5; round += 1) {
    await refund(10);
    const same = await Promise.all([0, 1, 2].map(() => repay(3, `SAME ${round}`)));
    expect(same.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const results = await Promise.allSettled([repay(4, `A ${round}`), refund(10), repay(4, `B ${round}`)]);
    expect(results[1].status).toBe("fulfilled");
    const recorded = [results[0], results[2]].filter(({ status }) => status === "fulfilled").length;
    expect(recorded).toBeGreaterThan(0);
    expect((await balance()).available).toBe(-(1_100 - recorded * 400));
    await repay(11 - recorded * 4, `REST ${round}`);
  }
  expect((await balance()).available).toBe(0);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("the next payout has a line for each repayment, which are free again when it fails", async () => {
  const count = await db().$count(repayments);
  await earn(400);
  await refund(10);
  // The refund is deducted from earnings, so that nothing is owed.
  await expectDomainError(repay(1, "BANK 4"), "invalid_input", /^The account owes nothing$/);
  const before = await balance();
  expect(before).toMatchObject({ available: 27_300, next: { amount: 27_300 } });
  const failed = await requestAndSend("bank_closed");
  expect(await getPayout(world.harbor, failed)).toMatchObject({ status: "failed", amount: 27_300 });
  expect(await balance()).toMatchObject({ available: 27_300, earned: before.earned, repaid: before.repaid });
  expect(await checkLedger(world.job)).toEqual([]);

  const id = await requestAndSend("bank_sandbox");
  const lines = await listPayoutLines(world.harbor, { id });
  const repaid = lines.filter(({ campaignName }) => campaignName === "Repayment by bank transfer");
  expect(repaid).toHaveLength(count);
  expect(repaid[0]).toMatchObject({ settledThrough: "2026-11-29", earnings: 10_000, spend: 0, fee: 0 });
  expect(lines.reduce((sum, { earnings }) => sum + earnings, 0)).toBe(27_300);
  expect(await balance()).toMatchObject({ available: 0, earned: before.earned, paid: 70_000 + 27_300 });
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("a payout and a repayment at once leave neither too much paid nor too much recorded", async () => {
  await earn(200);
  await refund(100);
  const results = await Promise.allSettled([requestPayout(world.harbor, {}), repay(1, "BANK 5"), refund(100)]);
  expect(results[2].status).toBe("fulfilled");
  while ((await sendDuePayouts(world.job)) > 0);
  // Either the payout was before the refund, which is owed then, or the refund left nothing to pay out.
  const recorded = results[1].status === "fulfilled" ? 1 : 0;
  const owed = results[0].status === "fulfilled" ? 70 : 0;
  expect(recorded).toBeLessThanOrEqual(owed);
  expect((await balance()).available).toBe((recorded - owed) * 100);
  if (owed > 0) await repay(owed - recorded, "BANK 6");
  expect((await balance()).available).toBe(0);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a repayment is reversed once, is owed again, and its reference can be recorded and reversed again", async () => {
  const before = await balance();
  await expectDomainError(reverse("BANK 9"), "not_found", /^Repayment not found$/);
  await expectDomainError(reverse("BANK 1", "fern"), "not_found");
  const results = await Promise.all([0, 1, 2].map(() => reverse(" BANK 1 ")));
  expect(results.map(({ amount }) => amount)).toEqual([10_000, 10_000, 10_000]);
  expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const reversed = { available: before.available - 10_000, earned: before.earned, repaid: before.repaid - 10_000 };
  expect(await balance()).toMatchObject(reversed);
  expect(await checkLedger(world.job)).toEqual([]);

  const { rows } = await listTransactions(world.harbor, { limit: 1 });
  expect(rows.map((row) => ({ ...row, signed: signedAmount(row, "publisher") }))).toMatchObject([
    { type: "adjustment", description: "Reversed repayment by bank transfer, reference BANK 1", signed: -10_000 },
  ]);
  const month = calendarMonthOf(world.clock());
  const { rows: lines } = await getStatement(world.harbor, { month, limit: 100 });
  expect(lines.slice(-1).map((line) => [statementLabel(line, "publisher"), line.amount])).toEqual([
    ["Repayment reversed", -10_000],
  ]);
  const trail = await db().select().from(auditEntries).where(eq(auditEntries.action, "account.repayment_reversed"));
  expect(trail.map(({ actorKind, accountId, after }) => ({ actorKind, accountId, after }))).toEqual([
    { actorKind: "operator", accountId: world.accountId("harbor"), after: { amount: 100, reference: "BANK 1" } },
  ]);

  expect(await repay(100, "BANK 1")).toEqual({ replayed: false });
  expect(await repay(100, "BANK 1")).toEqual({ replayed: true });
  expect(await balance()).toMatchObject({ available: before.available, repaid: before.repaid });
  expect(await reverse("BANK 1")).toEqual({ amount: 10_000, replayed: false });
  expect(await reverse("BANK 1")).toEqual({ amount: 10_000, replayed: true });
  expect(await balance()).toMatchObject(reversed);
  expect(await checkLedger(world.job)).toEqual([]);

  await earn(400);
  const due = (await balance()).available;
  await requestAndSend("bank_closed");
  expect(await checkLedger(world.job)).toEqual([]);
  const id = await requestAndSend("bank_sandbox");
  const amounts = (await listPayoutLines(world.harbor, { id }))
    .filter(({ campaignName }) => /repayment/i.test(campaignName))
    .map(({ campaignName, earnings }) => [campaignName, earnings]);
  expect(amounts.slice(-3)).toEqual([
    ["Reversed repayment by bank transfer", -10_000],
    ["Repayment by bank transfer", 10_000],
    ["Reversed repayment by bank transfer", -10_000],
  ]);
  expect(await getPayout(world.harbor, id)).toMatchObject({ status: "paid", amount: due });
  expect(await balance()).toMatchObject({ available: 0 });
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db.owner())).toEqual({});
});
