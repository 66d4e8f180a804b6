import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type CalendarDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import type { DeliveryState } from "#app/domain/campaigns/may-deliver.ts";
import { type PaceInput, paceOf } from "#app/domain/delivery/pace.ts";
import { toCents } from "#app/domain/money.ts";

function date(text: string): CalendarDate {
  const read = parseCalendarDate(text);
  if (!read) throw new Error("no day");
  return read;
}

const may: DeliveryState = { may: true, totalBudgetCents: toCents(100_000), dailyBudgetCents: toCents(20_000) };
const start = date("2026-11-01");

/** $1,000 over ten days from November 1, $200 a day at most; each day of `spent` in dollars. */
function pace(spent: number[], more: Partial<PaceInput> = {}) {
  const spentCents = new Map(spent.map((dollars, index) => [addDays(start, index), toCents(dollars * 100)]));
  return paceOf({
    startDate: start,
    endDate: date("2026-11-10"),
    pacing: "even",
    today: addDays(start, spent.length),
    totalBudgetCents: toCents(100_000),
    dailyBudgetCents: toCents(20_000),
    spentCents,
    delivery: may,
    ...more,
  });
}

test("evenly, each day has the same plan; what is spent goes on as it went", () => {
  const { days, ...rest } = pace([100, 98, 102, 100]);
  expect(days.map((day) => day.planned)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 10_000));
  expect(days.map((day) => day.actual)).toEqual([10_000, 19_800, 30_000, 40_000, 40_000, ...Array(5).fill(null)]);
  expect(days.map((day) => day.projected)).toEqual([
    ...Array(4).fill(null),
    50_000,
    60_000,
    70_000,
    80_000,
    90_000,
    100_000,
  ]);
  expect(rest).toEqual({
    state: "on_pace",
    plannedSoFar: 40_000,
    spentSoFar: 40_000,
    projectedEnd: 100_000,
    reason: null,
  });
});

test("as fast as possible, each day plans its whole budget until there is none", () => {
  const { days, state } = pace([200, 200], { pacing: "asap" });
  expect(days.map((day) => day.planned / 100)).toEqual([200, 400, 600, 800, 1000, 1000, 1000, 1000, 1000, 1000]);
  expect(days.at(-1)?.projected).toBe(100_000);
  expect(state).toBe("on_pace");
  expect(pace([200, 200]).state).toBe("ahead");
});

test("behind, with its reason in words", () => {
  const because = (spent: number[], more: Partial<PaceInput> = {}) => {
    const { state, reason } = pace(spent, more);
    return `${state}: ${reason}`;
  };
  const stopped = (reason: Extract<DeliveryState, { may: false }>["reason"]): Partial<PaceInput> => ({
    delivery: { may: false, reason },
  });
  expect(because([50, 50], stopped("paused"))).toBe("behind: It does not run now: paused.");
  expect(because([0, 0], stopped("not_approved"))).toBe("behind: It does not run now: waits for approval.");
  expect(because([0, 0])).toBe("behind: Nothing was reported yet.");
  expect(because([0, 0, 100])).toBe("behind: It began 2 days late, on Nov 3, 2026.");
  expect(because([100, 0, 100])).toBe("behind: It stood still on 1 day of its flight.");
  expect(because([40, 41, 42])).toMatch(/^behind: Its audiences bring fewer impressions/);
  expect(because([40, 41, 42], { ...stopped("completed"), today: date("2026-12-01") })).toMatch(
    /^behind: It stood|^behind: Its aud/,
  );
});

test("a daily budget too small for the flight is said, though the plan is kept", () => {
  const small = pace([50, 50], { dailyBudgetCents: toCents(5_000) });
  expect([small.state, small.projectedEnd]).toEqual(["on_pace", 50_000]);
  expect(small.reason).toBe("The daily budget allows $500 over the flight, less than the budget of $1,000.");
});

test("before the first day is over nothing is judged; a stopped one goes nowhere", () => {
  expect(pace([])).toMatchObject({ state: "too_early", reason: null, projectedEnd: 100_000 });
  const early = pace([], { today: addDays(start, -5), delivery: { may: false, reason: "not_started" } });
  expect(early).toMatchObject({ state: "too_early", projectedEnd: 100_000 });
  expect(early.days.every((day) => day.actual === null)).toBe(true);
  expect(pace([100, 100], { delivery: { may: false, reason: "paused" } }).projectedEnd).toBe(20_000);
});

test("whatever was spent, lines never fall, no projection passes the budget, and the last days agree", () => {
  const input = fc.record({
    spent: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 14 }),
    total: fc.integer({ min: 1, max: 500_000 }),
    daily: fc.integer({ min: 1, max: 20_000 }),
    pacing: fc.constantFrom("even" as const, "asap" as const),
  });
  fc.assert(
    fc.property(input, ({ spent, total, daily, pacing }) => {
      const { days, projectedEnd } = pace(spent, {
        totalBudgetCents: toCents(total),
        dailyBudgetCents: toCents(daily),
        pacing,
      });
      for (const line of ["planned", "actual", "projected"] as const) {
        const values = days.flatMap((day) => day[line] ?? []);
        expect(values).toEqual(values.toSorted((one, other) => one - other));
      }
      const spentInFlight = spent.slice(0, 10).reduce((sum, one) => sum + one * 100, 0);
      expect(projectedEnd).toBeLessThanOrEqual(Math.max(total, spentInFlight));
      expect(projectedEnd).toBeGreaterThanOrEqual(spentInFlight);
      expect(days.at(-1)?.planned).toBeLessThanOrEqual(total);
    }),
    { numRuns: 200 },
  );
});
