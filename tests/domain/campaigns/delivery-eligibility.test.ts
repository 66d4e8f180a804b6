import { expect, test } from "vitest";
import { type CalendarDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { type DeliveryBounds, deliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import { asCents } from "#app/domain/money.ts";

const bounds: DeliveryBounds = {
  totalBudgetCents: asCents(10_000),
  dailyBudgetCents: asCents(1_000),
  startDate: date("2026-11-10"),
  endDate: date("2026-11-20"),
};
const item = { status: "active" as const, approved: bounds, sentBounds: bounds, spentCents: asCents(0) };

function date(text: string): CalendarDate {
  const read = parseCalendarDate(text);
  if (!read) throw new Error("no day");
  return read;
}

test("an approved line item may deliver from its first day to its last", () => {
  const within = { eligible: true, totalBudgetCents: 10_000, dailyBudgetCents: 1_000 };
  expect(deliveryEligibility(item, date("2026-11-09"))).toEqual({ eligible: false, reason: "not_started" });
  expect(deliveryEligibility(item, date("2026-11-10"))).toEqual(within);
  expect(deliveryEligibility(item, date("2026-11-20"))).toEqual(within);
  expect(deliveryEligibility(item, date("2026-11-21"))).toEqual({ eligible: false, reason: "ended" });
});

test.each([
  ["pending", "not_approved"],
  ["paused", "paused"],
  ["completed", "completed"],
  ["withdrawn", "withdrawn"],
] as const)("one that is %s may not: %s", (status, reason) => {
  expect(deliveryEligibility({ ...item, status }, date("2026-11-15"))).toEqual({ eligible: false, reason });
});

test("without an approved version nothing delivers", () => {
  expect(deliveryEligibility({ ...item, approved: undefined }, date("2026-11-15"))).toEqual({
    eligible: false,
    reason: "not_approved",
  });
});

test("a spent budget stops it, and the smaller budget of two versions applies", () => {
  const smaller = { ...bounds, totalBudgetCents: asCents(6_000), dailyBudgetCents: asCents(2_000) };
  const day = date("2026-11-15");
  expect(deliveryEligibility({ ...item, spentCents: asCents(10_000) }, day)).toEqual({
    eligible: false,
    reason: "budget_used_up",
  });
  expect(deliveryEligibility({ ...item, sentBounds: smaller }, day)).toMatchObject({
    totalBudgetCents: 6_000,
    dailyBudgetCents: 1_000,
  });
  expect(deliveryEligibility({ ...item, sentBounds: smaller, spentCents: asCents(6_000) }, day)).toMatchObject({
    eligible: false,
  });
});
