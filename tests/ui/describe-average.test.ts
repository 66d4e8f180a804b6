import { expect, test } from "vitest";
import { describeAverage } from "#app/screens/shared/analytics/describe-average.ts";

const complete = { first: false, last: false };
const average = { isRatio: undefined, averagedCount: 30, partialEnds: complete };

test("an average says what it leaves out of the period", () => {
  const cut = { ...average, averagedCount: 4, partialEnds: { first: true, last: false } };
  expect(describeAverage("Spend", { ...cut, interval: "week" })).toBe(
    "Average: Spend per week, over the 4 complete weeks of this period. Partial weeks are dashed and not counted.",
  );
  const untilToday = { ...average, averagedCount: 29, partialEnds: { first: false, last: true } };
  expect(describeAverage("CTR", { ...untilToday, interval: "day", isRatio: true })).toBe(
    "Average: CTR over the 29 complete days of this period, from their sums. Today isn't counted.",
  );
});

test("an average of a past period does not say that today is left out", () => {
  expect(describeAverage("Spend", { ...average, interval: "day" })).toBe(
    "Average: Spend per day, over the 30 complete days of this period.",
  );
  expect(describeAverage("Spend", { ...average, averagedCount: 2, interval: "month" })).toBe(
    "Average: Spend per month, over the 2 complete months of this period.",
  );
});
