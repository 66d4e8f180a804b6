import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AdvertiserFunds,
  type SettlementAmounts,
  spendLegs,
  type UnsettledLineItem,
  unsettledAmounts,
} from "#app/domain/billing/ledger/spend-posting.ts";
import { type AccountId, type LineItemId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";

const [advertiserId, publisherId] = [newId<AccountId>(), newId<AccountId>()];

/** A line item whose spend is settled again and again as it grows, or is restated. */
function settling(commissionRateBps: number, fromWallet = 0) {
  const funds: AdvertiserFunds = { wallet: asCents(fromWallet), owed: asCents(0) };
  const item: UnsettledLineItem = {
    id: newId<LineItemId>(),
    advertiserId,
    publisherId,
    commissionRateBps,
    spendMicros: 0n,
    settledSpend: asCents(0),
    settledEarnings: asCents(0),
  };
  const settle = (spendMicros: bigint): SettlementAmounts & { legs: number[] } => {
    const due = unsettledAmounts({ ...item, spendMicros });
    item.settledSpend = asCents(item.settledSpend + due.spend);
    item.settledEarnings = asCents(item.settledEarnings + due.earnings);
    return { ...due, legs: spendLegs(item, due, funds).map(({ amount }) => amount) };
  };
  return { item, funds, settle };
}

test("365 days of one cent at 70 % pay 255 cents, not 365 or 0", () => {
  const { item, settle } = settling(7_000);
  for (let day = 1n; day <= 365n; day += 1n) settle(day * 10_000n);
  expect([item.settledSpend, item.settledEarnings]).toEqual([365, 255]);
});

test("fractions of a cent are carried until they are one", () => {
  const { settle } = settling(7_000);
  expect(settle(9_999n)).toMatchObject({ spend: 0, earnings: 0, fee: 0, legs: [] });
  expect(settle(10_001n)).toMatchObject({ spend: 1, earnings: 0, fee: 1 });
});

test("spend is paid from the wallet as far as it goes, and refunds reduce the debt first", () => {
  const { funds, settle } = settling(7_000, 150);
  expect(settle(1_000_000n).legs).toEqual([100, -70, -30]);
  expect(settle(2_000_000n).legs).toEqual([50, 50, -70, -30]);
  expect(funds).toEqual({ wallet: 0, owed: 50 });
  expect(settle(1_200_000n).legs).toEqual([-30, -50, 56, 24]);
  expect(funds).toEqual({ wallet: 30, owed: 0 });
});

test("for any history each settlement balances, everything adds up, and no wallet is negative", () => {
  const histories = fc.record({
    bps: fc.integer({ min: 0, max: 8_000 }),
    wallet: fc.integer({ min: 0, max: 1_000_000 }),
    totals: fc.array(fc.bigInt({ min: 0n, max: 10_000_000_000_000n }), { minLength: 1, maxLength: 12 }),
  });
  fc.assert(
    fc.property(histories, ({ bps, wallet, totals }) => {
      const { item, funds, settle } = settling(bps, wallet);
      for (const total of totals) {
        const { spend, earnings, fee, legs } = settle(total);
        expect(earnings + fee).toBe(spend);
        expect(legs.reduce((sum, leg) => sum + leg, 0)).toBe(0);
        expect(Math.min(funds.wallet, funds.owed)).toBeGreaterThanOrEqual(0);
        expect(item.settledSpend).toBe(Number(total / 10_000n));
        expect(item.settledEarnings).toBe(Math.floor((item.settledSpend * bps) / 10_000));
        expect(wallet - funds.wallet + funds.owed).toBe(item.settledSpend);
      }
    }),
    { numRuns: 2_000 },
  );
});
