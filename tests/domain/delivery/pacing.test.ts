import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type CalendarDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import type { DeliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import { computePacing, type PacingInput } from "#app/domain/delivery/pacing.ts";
import { asCents } from "#app/domain/money.ts";

function date(text: string): CalendarDate {
  const read = parseCalendarDate(text);
  if (!read) throw new Error("no day");
  return read;
}

const may: DeliveryEligibility = {
  eligible: true,
  totalBudgetCents: asCents(100_000),
  dailyBudgetCents: asCents(20_000),
};
const start = date("2026-11-01");

/** $1,000 over ten days from November 1, $200 a day at most; each day of `spent` in dollars. */
function pace(spent: number[], more: Partial<PacingInput> = {}, maxDays?: number) {
  const spentCents = new Map(spent.map((dollars, index) => [addDays(start, index), asCents(dollars * 100)]));
  return computePacing(
    {
      startDate: start,
      endDate: date("2026-11-10"),
      pacing: "even",
      today: addDays(start, spent.length),
      totalBudgetCents: asCents(100_000),
      dailyBudgetCents: asCents(20_000),
      spentCents,
      delivery: may,
      ...more,
    },
    maxDays,
  );
}

test("evenly, each day has the same plan; the projection continues the spend so far", () => {
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
    stopped: false,
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

test("being behind is reported with its reason", () => {
  const stateAndReason = (spent: number[], more: Partial<PacingInput> = {}) => {
    const { state, reason } = pace(spent, more);
    return `${state}: ${reason}`;
  };
  const stopped = (reason: Extract<DeliveryEligibility, { eligible: false }>["reason"]): Partial<PacingInput> => ({
    delivery: { eligible: false, reason },
  });
  expect(stateAndReason([50, 50], stopped("paused"))).toBe("behind: The campaign is not running (paused).");
  expect(stateAndReason([0, 0], stopped("not_approved"))).toBe(
    "behind: The campaign is not running (pending approval).",
  );
  expect(stateAndReason([0, 0])).toBe("behind: No delivery reported yet.");
  expect(stateAndReason([0, 0, 100])).toBe("behind: Delivery started 2 days late, on Nov 3, 2026.");
  expect(stateAndReason([100, 0, 100])).toBe("behind: Nothing was delivered on 1 day of the flight.");
  expect(stateAndReason([40, 41, 42])).toMatch(/^behind: Your audiences are too small/);
  expect(stateAndReason([40, 41, 42], { ...stopped("completed"), today: date("2026-12-01") })).toMatch(
    /^behind: Nothing was delivered|^behind: Your audiences/,
  );
});

test("a daily budget too small for the flight is reported, though the plan is kept", () => {
  const small = pace([50, 50], { dailyBudgetCents: asCents(5_000) });
  expect([small.state, small.projectedEnd]).toEqual(["on_pace", 50_000]);
  expect(small.reason).toBe(
    "The daily budget limits spend to $500 over the flight, less than the $1,000 budget. Raise the daily budget to spend it all.",
  );
});

test("before the first day is over there is no verdict; a stopped campaign has no projection", () => {
  expect(pace([])).toMatchObject({ state: "too_early", reason: null, projectedEnd: 100_000 });
  const early = pace([], { today: addDays(start, -5), delivery: { eligible: false, reason: "not_started" } });
  expect(early).toMatchObject({ state: "too_early", projectedEnd: 100_000 });
  expect(early.days.every((day) => day.actual === null)).toBe(true);
  expect(pace([100, 100], { delivery: { eligible: false, reason: "paused" } }).projectedEnd).toBe(20_000);
});

test("after its start has moved later, a campaign plans and projects what is left of its budget", () => {
  const moved = { startDate: date("2026-11-06"), endDate: date("2026-11-10") };
  const { days, ...rest } = pace([100, 100, 100], moved);
  expect(days.map((day) => day.planned / 100)).toEqual([440, 580, 720, 860, 1000]);
  expect(days.map((day) => [day.actual, (day.projected ?? 0) / 100])).toEqual([
    [null, 440],
    [null, 580],
    [null, 720],
    [null, 860],
    [null, 1000],
  ]);
  expect(rest).toMatchObject({ state: "too_early", plannedSoFar: 30_000, spentSoFar: 30_000, projectedEnd: 100_000 });
  expect(pace([100, 100, 100, 0, 0, 0], moved)).toMatchObject({ state: "behind", plannedSoFar: 44_000 });
  expect(pace([100, 100, 100, 0, 0, 140], moved)).toMatchObject({ state: "on_pace", spentSoFar: 44_000 });
});

test("for any spend, lines never fall, no projection exceeds the budget, and the last days agree", () => {
  const input = fc.record({
    spent: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 14 }),
    total: fc.integer({ min: 1, max: 500_000 }),
    daily: fc.integer({ min: 1, max: 20_000 }),
    pacing: fc.constantFrom("even" as const, "asap" as const),
    moved: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(input, ({ spent, total, daily, pacing, moved }) => {
      const { days, projectedEnd, plannedSoFar, spentSoFar } = pace(spent, {
        startDate: addDays(start, moved),
        totalBudgetCents: asCents(total),
        dailyBudgetCents: asCents(daily),
        pacing,
      });
      const sum = (some: number[]) => some.reduce((total, one) => total + one * 100, 0);
      const spentBefore = sum(spent.slice(0, moved));
      for (const line of ["planned", "actual", "projected"] as const) {
        const values = days.flatMap((day) => day[line] ?? []);
        expect(values).toEqual(values.toSorted((one, other) => one - other));
        expect(values.every((value) => Number.isInteger(value) && value >= spentBefore)).toBe(true);
      }
      expect([plannedSoFar >= spentBefore, spentSoFar >= spentBefore]).toEqual([true, true]);
      const spentInFlight = sum(spent.slice(0, 10));
      expect(projectedEnd).toBeLessThanOrEqual(Math.max(total, spentInFlight));
      expect(projectedEnd).toBeGreaterThanOrEqual(spentInFlight);
      expect(days.at(-1)?.planned).toBeLessThanOrEqual(Math.max(total, spentBefore));
    }),
    { numRuns: 200 },
  );
});

test("for any long flight, the days that are kept say what they say among all days", () => {
  const input = fc.record({
    spent: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 }),
    length: fc.integer({ min: 1, max: 400 }),
    most: fc.integer({ min: 1, max: 40 }),
    pacing: fc.constantFrom("even" as const, "asap" as const),
  });
  fc.assert(
    fc.property(input, ({ spent, length, most, pacing }) => {
      const flight = { endDate: addDays(start, length - 1), today: addDays(start, spent.length), pacing };
      const all = pace(spent, flight);
      const thinned = pace(spent, flight, most);
      const keptDays = new Set(thinned.days.map(({ day }) => day));
      expect(thinned).toEqual({ ...all, days: all.days.filter(({ day }) => keptDays.has(day)) });
      expect(thinned.days.length).toBeLessThanOrEqual(most + 1);
      expect(keptDays).toContain(flight.endDate);
      if (flight.today <= flight.endDate) expect(keptDays).toContain(flight.today);
    }),
    { numRuns: 200 },
  );
});
