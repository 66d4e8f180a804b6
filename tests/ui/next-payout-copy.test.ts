import { expect, test } from "vitest";
import { asCents } from "#app/domain/money.ts";
import { nextPayoutCopy } from "#app/screens/publisher/revenue/overview/next-payout-copy.ts";

/** The text of a publisher with a bank account; amounts are in dollars. */
const copy = (available: number, amount: number, keptForPlan = 0) =>
  nextPayoutCopy({
    balance: {
      available: asCents(available * 100),
      inTransit: asCents(0),
      next: { amount: asCents(amount * 100), keptForPlan: asCents(keptForPlan * 100) },
    },
    hasAccount: true,
    accountStatus: null,
  });
const schedule =
  "Available earnings are paid out on the first of each month (UTC), or right away when you request a payout.";

test("the next payout names what of the earnings stays for the plan's next payment", () => {
  expect(copy(400, 400)).toBe(schedule);
  expect(copy(540, 400, 140)).toBe(`${schedule} $140.00 stays in your balance for your plan's next payment.`);
});

test("earnings that all stay for the plan are not said to be below the minimum", () => {
  expect(copy(400, 0, 400)).toBe(`${schedule} $400.00 stays in your balance for your plan's next payment.`);
  expect(copy(430, 30, 400)).toContain("Balances below $50 carry over to the next month.");
  expect(copy(20, 20)).toBe(
    "You can request a payout once $50 is available. Balances below $50 carry over to the next month.",
  );
});
