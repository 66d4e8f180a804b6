import { expect, test } from "vitest";
import { type CalendarDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { type DeliveryBounds, mayDeliver } from "#app/domain/campaigns/may-deliver.ts";
import { toCents } from "#app/domain/money.ts";

const bounds: DeliveryBounds = {
  totalBudgetCents: toCents(10_000),
  dailyBudgetCents: toCents(1_000),
  startDate: date("2026-11-10"),
  endDate: date("2026-11-20"),
};
const item = { status: "active" as const, approved: bounds, sent: bounds, spentCents: toCents(0) };

function date(text: string): CalendarDate {
  const read = parseCalendarDate(text);
  if (!read) throw new Error("no day");
  return read;
}

test("an approved line item may deliver from its first day to its last", () => {
  const within = { may: true, totalBudgetCents: 10_000, dailyBudgetCents: 1_000 };
  expect(mayDeliver(item, date("2026-11-09"))).toEqual({ may: false, reason: "not_started" });
  expect(mayDeliver(item, date("2026-11-10"))).toEqual(within);
  expect(mayDeliver(item, date("2026-11-20"))).toEqual(within);
  expect(mayDeliver(item, date("2026-11-21"))).toEqual({ may: false, reason: "ended" });
});

test.each([
  ["pending", "not_approved"],
  ["paused", "paused"],
  ["completed", "completed"],
  ["withdrawn", "withdrawn"],
] as const)("one that is %s may not: %s", (status, reason) => {
  expect(mayDeliver({ ...item, status }, date("2026-11-15"))).toEqual({ may: false, reason });
});

test("without an approved version nothing delivers", () => {
  expect(mayDeliver({ ...item, approved: undefined }, date("2026-11-15"))).toEqual({
    may: false,
    reason: "not_approved",
  });
});

test("a used-up budget stops it, and the smaller budget of two versions holds", () => {
  const smaller = { ...bounds, totalBudgetCents: toCents(6_000), dailyBudgetCents: toCents(2_000) };
  const day = date("2026-11-15");
  expect(mayDeliver({ ...item, spentCents: toCents(10_000) }, day)).toEqual({ may: false, reason: "budget_used_up" });
  expect(mayDeliver({ ...item, sent: smaller }, day)).toMatchObject({
    totalBudgetCents: 6_000,
    dailyBudgetCents: 1_000,
  });
  expect(mayDeliver({ ...item, sent: smaller, spentCents: toCents(6_000) }, day)).toMatchObject({ may: false });
});
