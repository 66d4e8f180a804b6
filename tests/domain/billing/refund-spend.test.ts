import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listRevenueShares, sumEarnings } from "#app/domain/billing/list-revenue-shares.server.ts";
import { leftToRefund, refundChange, splitRefund } from "#app/domain/billing/refunds/refund-amounts.ts";
import { refundOnce } from "#app/domain/billing/refunds/refund-once.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { type LineItemId, newId } from "#app/domain/ids.ts";
import { shareOf, toCents } from "#app/domain/money.ts";
import { lineItems, transactions } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let lineItemId: LineItemId;
/** $10.01 of Northwind's was spent on Harbor's hikers and settled: $7.00 and $3.01. */
beforeAll(async () => {
  world = await makeWorld(db());
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id, { spendMicros: 10_019_999 });
  world.setNow("2026-11-21T01:00:00Z");
  await settleDelivery(world.job);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  if (!item) throw new Error("a launched campaign has a line item");
  lineItemId = item.id;
});
const refund = (cents: number, id = lineItemId) =>
  refundSpend(asOperator(), { lineItemId: id, amount: toCents(cents) });

test("refunds in cents give each side its part, ten at once never more than was settled, and the last the remainder", async () => {
  expect((await getWallet(world.northwind)).balance).toBe(-1_001);
  expect(await refund(1)).toMatchObject({ amount: 1, earnings: 0, fee: 1 });
  await expectRefusal(refund(1_001), "invalid_input");
  const many = await Promise.allSettled(Array.from({ length: 12 }, () => refund(99)));
  expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await sumEarnings(world.harbor)).toBe(700 - shareOf(toCents(991), 7_000));
  expect(await refund(10)).toMatchObject({ amount: 10, earnings: 7, fee: 3 });
  for (const cents of [1, 0, -5]) await expectRefusal(refund(cents), "invalid_input");
  await expectRefusal(refund(1, newId<LineItemId>()), "not_found");

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

test("over any sequence of refunds the parts add up, and at its end they are those of the whole", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8_000 }), amounts, (bps, cents) => {
      const settled = toCents(cents.reduce((sum, one) => sum + one, 0));
      let [refunded, earnings, fee] = [0, 0, 0];
      for (const amount of cents) {
        const before = {
          settled,
          refunded: toCents(refunded),
          refundedEarnings: toCents(earnings),
          commissionRateBps: bps,
        };
        const parts = splitRefund(before, toCents(amount));
        expect(parts.earnings >= 0 && parts.fee >= 0 && amount <= leftToRefund(before)).toBe(true);
        refunded += amount;
        earnings += parts.earnings;
        fee += parts.fee;
      }
      expect([earnings, earnings + fee]).toEqual([shareOf(settled, bps), settled]);
    }),
  );
});

test("a refund under a reference is made once, however often and by whomever it is asked for", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
  world.passDays(1);
  await settleDelivery(world.job);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  const lineItemId = item?.id ?? expect.fail();
  const asked = { reference: "ticket 7", lineItemId, amount: toCents(3) };
  const answers = await Promise.all(Array.from({ length: 8 }, () => refundOnce(asOperator(), asked)));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
  await expectRefusal(refundOnce(asOperator(), { ...asked, amount: toCents(4) }), "idempotency_conflict");
  // A refusal keeps no reference.
  const tooMuch = { ...asked, reference: "ticket 8", amount: toCents(100_000) };
  await expectRefusal(refundOnce(asOperator(), tooMuch), "invalid_input");
  expect((await refundOnce(asOperator(), { ...tooMuch, amount: toCents(1) })).isRepeated).toBe(false);
});

test("what was given back follows spend that is restated: never above it, in force again when it rises, and once", async () => {
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  const day = world.today();
  const settleAt = async (dollars: number) => {
    await world.deliver(id, { day, spendMicros: dollars * 1_000_000 });
    world.passDays(1);
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
  await expectRefusal(refund(1, asked), "invalid_input");
  expect(await settleAt(0)).toEqual([paid, earned]);
  expect(await settleAt(90)).toEqual([paid - 1_000, earned + 700]);
  await refund(1_000, asked);
  await expectRefusal(refund(1, asked), "invalid_input");
  expect(await settleAt(20.015)).toEqual([paid, earned]);
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("over any history of spend, restatements and refunds nobody gets back more than was spent", () => {
  const step = fc.record({ total: fc.integer({ min: 0, max: 5_000 }), back: fc.integer({ min: 0, max: 5_000 }) });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8_000 }), fc.array(step, { maxLength: 15 }), (bps, steps) => {
      let [granted, refunded, refundedEarnings] = [toCents(0), toCents(0), toCents(0)];
      const of = (settled: number) => ({
        settled: toCents(settled),
        refunded,
        refundedEarnings,
        commissionRateBps: bps,
      });
      const give = (settled: number, amount: number) => {
        const { earnings } = splitRefund(of(settled), toCents(amount));
        refunded = toCents(refunded + amount);
        refundedEarnings = toCents(refundedEarnings + earnings);
      };
      for (const { total, back } of steps) {
        give(total, refundChange({ granted, refunded, total: toCents(total) }));
        expect(refunded).toBe(Math.min(granted, total));
        if (back > 0 && back <= leftToRefund(of(total))) {
          give(total, back);
          granted = toCents(granted + back);
        }
        expect(total - refunded).toBeGreaterThanOrEqual(0);
        expect(refundedEarnings).toBe(shareOf(toCents(refunded), bps));
      }
    }),
  );
});
