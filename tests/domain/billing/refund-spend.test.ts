import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listRevenueShares, sumEarnings } from "#app/domain/billing/list-revenue-shares.server.ts";
import { refundAdjustment, refundableAmount, splitRefund } from "#app/domain/billing/refunds/refund-amounts.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { refundSpendByReference } from "#app/domain/billing/refunds/refund-spend-by-reference.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { type AccountId, type LineItemId, newId } from "#app/domain/ids.ts";
import { asCents, shareOf } from "#app/domain/money.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { lineItems, notifications, transactions, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { succeedsBesideOthers } from "#tests/support/outcome.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let lineItemId: LineItemId;
/** $10.01 of Northwind's was spent on Harbor's hikers and settled: $7.00 and $3.01. */
beforeAll(async () => {
  world = await createWorld(db());
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id, { spendMicros: 10_019_999 });
  world.setNow("2026-11-21T01:00:00Z");
  await settleDelivery(world.job);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  if (!item) throw new Error("a launched campaign has a line item");
  lineItemId = item.id;
});
const isRefund = eq(notifications.event, "spend_refunded");
const refund = (cents: number, id = lineItemId) =>
  refundSpend(asOperator(), { lineItemId: id, amount: asCents(cents) });

test("a refund is divided to the cent; ten at once never exceed what was settled, and the last is the remainder", async () => {
  expect((await getWallet(world.northwind)).balance).toBe(-1_001);
  expect(await refund(1)).toMatchObject({ amount: 1, earnings: 0, fee: 1 });
  await expectDomainError(refund(1_001), "invalid_input");
  const many = await Promise.all(Array.from({ length: 12 }, () => succeedsBesideOthers(() => refund(99))));
  expect(many.filter(Boolean)).toHaveLength(10);
  expect(await sumEarnings(world.harbor)).toBe(700 - shareOf(asCents(991), 7_000));
  expect(await refund(10)).toMatchObject({ amount: 10, earnings: 7, fee: 3 });
  for (const cents of [1, 0, -5]) await expectDomainError(refund(cents), "invalid_input");
  await expectDomainError(refund(1, newId<LineItemId>()), "not_found");

  expect(await sumEarnings(world.harbor)).toBe(0);
  expect((await getWallet(world.northwind)).balance).toBe(0);
  const shares = (await listRevenueShares(world.harbor, {})).rows;
  expect(shares.reduce((sum, { spend }) => sum + spend, 0)).toBe(0);
  const own = eq(transactions.accountId, world.northwind.actor.accountId);
  const lines = await db().select().from(transactions).where(own);
  const given = lines.filter(({ type }) => type === "refund").map(({ amountCents }) => amountCents);
  expect(given.reduce((sum, cents) => sum + cents, 0)).toBe(1_001);
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("a refund notifies the advertiser of the spend and the publisher of its share", async () => {
  const rows = await db().select().from(notifications).where(isRefund);
  const titlesOf = (accountId: AccountId, reader: AccountType) =>
    rows
      .filter((row) => row.accountId === accountId && row.facts.amount === 0.99)
      .map((row) => describeNotification(row, reader).title);
  expect(titlesOf(world.accountId("northwind"), "advertiser")).toContain("$0.99 of spend was refunded");
  expect(titlesOf(world.accountId("harbor"), "publisher")).toContain("$0.69 of earnings was deducted for a refund");
});

test("only the publisher's notification of a refund has what it deducts from the earnings", async () => {
  const rows = await db().select().from(notifications).where(isRefund);
  const earningsFor = (accountId: AccountId) =>
    rows.filter((row) => row.accountId === accountId && row.facts.amount === 0.99).map(({ facts }) => facts.earnings);
  expect(new Set(earningsFor(world.accountId("harbor")))).toEqual(new Set([0.69, 0.7]));
  expect(new Set(earningsFor(world.accountId("northwind")))).toEqual(new Set([undefined]));
});

test("a refund's event has its earnings for the publisher, and for the advertiser only its amount", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
  world.advanceDays(1);
  await settleDelivery(world.job);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  const input = { url: "https://example.com/hook", events: ["spend.refunded" as const] };
  for (const account of [world.northwind, world.harbor]) await createWebhook(account, input);
  onTestFinished(async () => void (await db().delete(webhooks)));
  await refund(100, item?.id);
  const dataFor = async (accountId: AccountId) => {
    const [delivery] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.accountId, accountId));
    return JSON.parse(delivery?.body ?? expect.fail("no event")).data;
  };
  expect(await dataFor(world.accountId("harbor"))).toMatchObject({ amount: 1, earnings: 0.7 });
  const whole = await dataFor(world.accountId("northwind"));
  expect(whole).toMatchObject({ amount: 1 });
  expect(whole).not.toHaveProperty("earnings");
});

test("for any sequence of refunds the parts add up, and at the end they equal those of the whole", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8_000 }), amounts, (bps, cents) => {
      const settled = asCents(cents.reduce((sum, one) => sum + one, 0));
      let [refunded, earnings, fee] = [0, 0, 0];
      for (const amount of cents) {
        const before = {
          settled,
          refunded: asCents(refunded),
          refundedEarnings: asCents(earnings),
          commissionRateBps: bps,
        };
        const parts = splitRefund(before, asCents(amount));
        expect(parts.earnings >= 0 && parts.fee >= 0 && amount <= refundableAmount(before)).toBe(true);
        refunded += amount;
        earnings += parts.earnings;
        fee += parts.fee;
      }
      expect([earnings, earnings + fee]).toEqual([shareOf(settled, bps), settled]);
    }),
  );
});

test("a refund with a reference is made once, however often and by whomever it is requested", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
  world.advanceDays(1);
  await settleDelivery(world.job);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  const lineItemId = item?.id ?? expect.fail();
  const asked = { reference: "ticket 7", lineItemId, amount: asCents(3) };
  const answers = await Promise.all(Array.from({ length: 8 }, () => refundSpendByReference(asOperator(), asked)));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  await expectDomainError(
    refundSpendByReference(asOperator(), { ...asked, amount: asCents(4) }),
    "idempotency_conflict",
  );
  // A rejected refund does not reserve its reference.
  const excessiveRefund = { ...asked, reference: "ticket 8", amount: asCents(100_000) };
  await expectDomainError(refundSpendByReference(asOperator(), excessiveRefund), "invalid_input");
  expect((await refundSpendByReference(asOperator(), { ...excessiveRefund, amount: asCents(1) })).replayed).toBe(false);
});

test("refunds follow restated spend: never above it, and restored once when it rises", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  const day = world.today();
  const settleAt = async (dollars: number) => {
    await world.deliver(id, { day, spendMicros: dollars * 1_000_000 });
    world.advanceDays(1);
    await settleDelivery(world.job);
    await settleDelivery(world.job);
    const { balance } = await getWallet(world.northwind);
    return [balance, await sumEarnings(world.harbor)];
  };
  const [paid, earned] = [(await getWallet(world.northwind)).balance, await sumEarnings(world.harbor)];
  expect(await settleAt(100)).toEqual([paid - 10_000, earned + 7_000]);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  const asked = item?.id ?? expect.fail();
  await refund(8_000, asked);
  expect(await settleAt(60)).toEqual([paid, earned]);
  await expectDomainError(refund(1, asked), "invalid_input");
  expect(await settleAt(0)).toEqual([paid, earned]);
  expect(await settleAt(90)).toEqual([paid - 1_000, earned + 700]);
  await refund(1_000, asked);
  await expectDomainError(refund(1, asked), "invalid_input");
  expect(await settleAt(20.015)).toEqual([paid, earned]);
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("for any history of spend, restatements and refunds nobody is refunded more than was spent", () => {
  const step = fc.record({ total: fc.integer({ min: 0, max: 5_000 }), back: fc.integer({ min: 0, max: 5_000 }) });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8_000 }), fc.array(step, { maxLength: 15 }), (bps, steps) => {
      let [granted, refunded, refundedEarnings] = [asCents(0), asCents(0), asCents(0)];
      const of = (settled: number) => ({
        settled: asCents(settled),
        refunded,
        refundedEarnings,
        commissionRateBps: bps,
      });
      const refundAmount = (settled: number, amount: number) => {
        const { earnings } = splitRefund(of(settled), asCents(amount));
        refunded = asCents(refunded + amount);
        refundedEarnings = asCents(refundedEarnings + earnings);
      };
      for (const { total, back: refundedTotal } of steps) {
        refundAmount(total, refundAdjustment({ operatorRefunded: granted, refunded, total: asCents(total) }));
        expect(refunded).toBe(Math.min(granted, total));
        if (refundedTotal > 0 && refundedTotal <= refundableAmount(of(total))) {
          refundAmount(total, refundedTotal);
          granted = asCents(granted + refundedTotal);
        }
        expect(total - refunded).toBeGreaterThanOrEqual(0);
        expect(refundedEarnings).toBe(shareOf(asCents(refunded), bps));
      }
    }),
  );
});
