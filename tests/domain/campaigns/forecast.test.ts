import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { frequencyCapPeriods, pacings } from "#app/domain/campaigns/campaign.ts";
import { computeForecast, type ForecastInput, matchShare } from "#app/domain/campaigns/forecast.ts";
import { simulateReach } from "#app/domain/delivery/channels/sandbox/sandbox-creatives.ts";
import { asCents } from "#app/domain/money.ts";

const today = parseCalendarDate("2026-11-20") ?? expect.unreachable();
const cents = (max: number) => fc.integer({ min: 1, max }).map(asCents);

/** Any campaign that can be launched, from a budget of one cent to a million dollars. */
const inputs: fc.Arbitrary<ForecastInput> = fc
  .record({
    people: fc.integer({ min: 1_000, max: 5_000_000 }),
    spread: fc.double({ min: 1, max: 3, noNaN: true }),
    cpm: cents(5_000),
    cpmSpread: fc.integer({ min: 0, max: 3_000 }),
    total: cents(100_000_000),
    dailyShare: fc.double({ min: 0.001, max: 1, noNaN: true }),
    starts: fc.integer({ min: -20, max: 60 }),
    length: fc.integer({ min: 1, max: 120 }),
    impressions: fc.integer({ min: 1, max: 10 }),
    period: fc.constantFrom(...frequencyCapPeriods),
    pacing: fc.constantFrom(...pacings),
  })
  .map(({ people, spread, cpm, cpmSpread, total, dailyShare, starts, length, impressions, period, pacing }) => ({
    reach: { from: people, to: Math.ceil(people * spread) },
    cpmCents: { from: cpm, to: asCents(cpm + cpmSpread) },
    totalBudgetCents: total,
    dailyBudgetCents: asCents(Math.max(1, Math.floor(total * dailyShare))),
    startDate: addDays(today, starts),
    endDate: addDays(today, starts + length - 1),
    today,
    cap: { impressions, period },
    pacing,
  }));

const periodsIn = (days: number, period: ForecastInput["cap"]["period"]) =>
  ({ hour: 24 * days, day: days, week: Math.ceil(days / 7), month: Math.ceil(days / 30) })[period];

test("each range begins no later than it ends, and nothing is negative", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const forecast = computeForecast(input);
      if (!forecast) return;
      for (const { from, to } of [forecast.impressions, forecast.people, forecast.cost, forecast.costPerDay]) {
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from).toBeLessThanOrEqual(to);
      }
    }),
  );
});

test("nobody sees more than the frequency cap allows, and people are never more than the reach", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const forecast = computeForecast(input);
      if (!forecast) return;
      const perPerson = input.cap.impressions * periodsIn(forecast.days, input.cap.period);
      expect(forecast.impressions.to).toBeLessThanOrEqual(forecast.people.to * perPerson);
      expect(forecast.impressions.from).toBeLessThanOrEqual(forecast.people.from * perPerson);
      expect(forecast.people.to).toBeLessThanOrEqual(input.reach.to);
    }),
  );
});

test("the cost is never above a budget, nor a day's above the daily budget", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const forecast = computeForecast(input);
      if (!forecast) return;
      expect(forecast.cost.to).toBeLessThanOrEqual(input.totalBudgetCents);
      expect(forecast.cost.to).toBeLessThanOrEqual(input.dailyBudgetCents * forecast.days);
      expect(forecast.costPerDay.to).toBeLessThanOrEqual(input.dailyBudgetCents);
    }),
  );
});

test("more budget, people or days never forecast less", () => {
  fc.assert(
    fc.property(
      inputs,
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 0, max: 60 }),
      (input, more, days) => {
        const before = computeForecast(input);
        if (!before) return;
        const larger = [
          { ...input, totalBudgetCents: asCents(input.totalBudgetCents + more) },
          { ...input, dailyBudgetCents: asCents(input.dailyBudgetCents + more) },
          { ...input, reach: { from: input.reach.from + more, to: input.reach.to + more } },
          { ...input, endDate: addDays(input.endDate, days) },
        ];
        for (const changed of larger) {
          const after = computeForecast(changed);
          for (const figure of ["impressions", "cost"] as const) {
            expect(after?.[figure].from).toBeGreaterThanOrEqual(before[figure].from);
            expect(after?.[figure].to).toBeGreaterThanOrEqual(before[figure].to);
          }
        }
      },
    ),
  );
});

test("the named limit is the one that would have to grow", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const forecast = computeForecast(input);
      if (!forecast) return;
      const spendable = Math.min(input.totalBudgetCents, input.dailyBudgetCents * forecast.days);
      const isSpent = forecast.cost.from === spendable;
      expect(forecast.limit === "daily_budget" || forecast.limit === "total_budget").toBe(isSpent);
      if (forecast.limit !== "audience") return;
      const more = {
        ...input,
        totalBudgetCents: asCents(input.totalBudgetCents * 2),
        dailyBudgetCents: asCents(input.dailyBudgetCents * 2),
      };
      expect(computeForecast(more)?.impressions).toEqual(forecast.impressions);
    }),
  );
});

test("any delivery within the ranges is within the forecast", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(inputs, share, share, share, (input, size, matched, price) => {
      const forecast = computeForecast(input);
      if (!forecast) return;
      const between = ({ from, to }: { from: number; to: number }, at: number) => from + (to - from) * at;
      const people = Math.floor(between(input.reach, size) * between(matchShare, matched));
      const cpm = between(input.cpmCents, price);
      const most = people * input.cap.impressions * periodsIn(forecast.days, input.cap.period);
      const spendable = Math.min(input.totalBudgetCents, input.dailyBudgetCents * forecast.days);
      const delivered = Math.min(most, Math.floor((spendable * 1_000) / cpm));
      expect(delivered).toBeGreaterThanOrEqual(forecast.impressions.from);
      expect(delivered).toBeLessThanOrEqual(forecast.impressions.to);
      // Impressions fall on random people, and on more where the cap asks for it.
      const cap = {
        impressions: input.cap.impressions * periodsIn(forecast.days, input.cap.period),
        period: "day" as const,
      };
      expect(simulateReach(delivered, { people: Math.max(1, people), cap })).toBeLessThanOrEqual(
        Math.max(1, forecast.people.to),
      );
      expect((delivered * cpm) / 1_000).toBeLessThanOrEqual(forecast.cost.to + 1);
    }),
  );
});

test("an example by hand: $5,000 at $8 to $10 for 50,000 to 100,000 people in ten days", () => {
  const input: ForecastInput = {
    reach: { from: 50_000, to: 100_000 },
    cpmCents: { from: asCents(800), to: asCents(1_000) },
    totalBudgetCents: asCents(500_000),
    dailyBudgetCents: asCents(50_000),
    startDate: addDays(today, 1),
    endDate: addDays(today, 10),
    today,
    cap: { impressions: 3, period: "day" },
    pacing: "even",
  };
  // 15,000 people × 30 impressions are 450,000 and cost $3,600 at $8; 90,000 × 30 are more than the money buys.
  expect(computeForecast(input)).toEqual({
    days: 10,
    impressions: { from: 450_000, to: 625_000 },
    people: { from: 15_000, to: 90_000 },
    cost: { from: 360_000, to: 500_000 },
    costPerDay: { from: 36_000, to: 50_000 },
    limit: "audience_or_budget",
  });
  expect(computeForecast({ ...input, totalBudgetCents: asCents(10_000) })?.limit).toBe("total_budget");
  expect(computeForecast({ ...input, dailyBudgetCents: asCents(1_000) })?.limit).toBe("daily_budget");
  expect(computeForecast({ ...input, cap: { impressions: 1, period: "month" } })?.limit).toBe("audience");
});

test("there is none without people, money, a price or days left", () => {
  const [input] = fc.sample(inputs, { numRuns: 1, seed: 1 });
  if (!input) throw new Error("no sample");
  const whole = { ...input, startDate: today, endDate: addDays(today, 3) };
  expect(computeForecast(whole)).toBeDefined();
  expect(computeForecast({ ...whole, reach: { from: 0, to: 0 } })).toBeUndefined();
  expect(computeForecast({ ...whole, dailyBudgetCents: asCents(0) })).toBeUndefined();
  expect(computeForecast({ ...whole, cpmCents: { from: asCents(0), to: asCents(0) } })).toBeUndefined();
  expect(computeForecast({ ...whole, endDate: addDays(today, -1) })).toBeUndefined();
});
