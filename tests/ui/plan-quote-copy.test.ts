import { expect, test } from "vitest";
import type { PlanQuote } from "#app/domain/billing/subscription/plan-quote.ts";
import { asCents } from "#app/domain/money.ts";
import { describePlanQuote } from "#app/screens/publisher/subscription/choose-plan/plan-quote-copy.ts";

const now = new Date("2027-01-01T09:00:00Z");
const quote = (kind: PlanQuote["kind"], nextChargeAt: Date): PlanQuote => ({
  kind,
  planType: "starter",
  amount: asCents(kind === "upgrade" ? 600 : 0),
  effectiveAt: now,
  monthlyAmount: asCents(9_900),
  nextChargeAt,
  days: { all: 31, left: 1 },
  pricedFrom: null,
  blocked: null,
});

test("a plan whose renewal is today says that it is charged today", () => {
  const today = new Date("2027-01-01T15:00:00Z");
  expect(describePlanQuote(quote("keep", today), now)).toBe(
    "Your plan stays the same. Your next charge is $99.00 today, then monthly.",
  );
  expect(describePlanQuote(quote("upgrade", today), now)).toMatch(
    /Your next charge is \$99\.00 today, then monthly\.$/,
  );
  expect(describePlanQuote(quote("downgrade", today), now)).not.toContain("nothing today");
});

test("a plan whose renewal is on another day names it, and that nothing is paid today", () => {
  const later = new Date("2027-01-02T00:00:00Z");
  for (const kind of ["keep", "downgrade"] as const) {
    const text = describePlanQuote(quote(kind, later), now);
    expect(text).toContain("nothing today");
    expect(text).toContain("$99.00 on Jan 2, 2027, then monthly");
  }
});
