import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BillingPeriod,
  periodDays,
  periodFrom,
  proratedAmount,
} from "#app/domain/billing/subscription/billing-period.ts";
import { nextDueAt, unpaidEndsAt } from "#app/domain/billing/subscription/plan-change.ts";
import { asCents } from "#app/domain/money.ts";

const instants = fc.date({ min: new Date("2024-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
const day = 86_400_000;
/** A period, and moments within it in their order. */
const periods = fc.record({
  anchor: instants,
  months: fc.nat(40),
  moments: fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 1, maxLength: 6 }),
});

function nth(anchor: Date, months: number): BillingPeriod {
  let period = periodFrom(anchor, anchor);
  for (let count = 0; count < months; count += 1) period = periodFrom(anchor, period.endsAt);
  return period;
}

function momentsOf(period: BillingPeriod, moments: readonly number[]): Date[] {
  const length = period.endsAt.getTime() - period.startedAt.getTime();
  return [...moments]
    .sort((one, other) => one - other)
    .map((part) => new Date(period.startedAt.getTime() + part * length));
}

test("periods follow each other without a gap, on the anchor's day or the last of the month", () => {
  fc.assert(
    fc.property(periods, ({ anchor, months }) => {
      const { startedAt, endsAt } = nth(anchor, months);
      const days = (endsAt.getTime() - startedAt.getTime()) / day;
      expect(days).toBeGreaterThanOrEqual(28);
      expect(days).toBeLessThanOrEqual(31);
      const last = new Date(Date.UTC(endsAt.getUTCFullYear(), endsAt.getUTCMonth() + 1, 0)).getUTCDate();
      expect(endsAt.getUTCDate()).toBe(Math.min(anchor.getUTCDate(), last));
      expect(endsAt.toISOString().slice(11)).toBe(anchor.toISOString().slice(11));
    }),
  );
});

test("an upgrade never costs more than the difference for a whole period, and never nothing", () => {
  fc.assert(
    fc.property(periods, fc.integer({ min: 100, max: 90_000 }), ({ anchor, months, moments }, difference) => {
      const period = nth(anchor, months);
      for (const now of momentsOf(period, moments)) {
        const amount = proratedAmount(asCents(difference), periodDays(period, now));
        expect(amount).toBeGreaterThan(0);
        expect(amount).toBeLessThanOrEqual(difference);
      }
    }),
  );
});

test("several upgrades cost no more than one at the first of them, and later is never more expensive", () => {
  fc.assert(
    fc.property(
      periods,
      fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 6, maxLength: 6 }),
      (given, steps) => {
        const period = nth(given.anchor, given.months);
        const moments = momentsOf(period, given.moments);
        const cost = (cents: number, now: Date | undefined) =>
          proratedAmount(asCents(cents), periodDays(period, now ?? period.startedAt));
        const each = moments.map((now, index) => cost(steps[index] ?? 0, now));
        const whole = steps.slice(0, moments.length).reduce((sum, one) => sum + one, 0);
        expect(each.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(cost(whole, moments[0]));
        for (let index = 1; index < moments.length; index += 1) {
          expect(cost(whole, moments[index])).toBeLessThanOrEqual(cost(whole, moments[index - 1]));
        }
      },
    ),
  );
});

test("an unpaid renewal has an attempt left until the last day's, and none after it", () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 0, max: 9 * 24 * 60 }), (pastDueSince, minutes) => {
      const now = new Date(pastDueSince.getTime() + minutes * 60_000);
      const plan = { pastDueSince, periodEndsAt: pastDueSince, cancelAtPeriodEnd: false };
      const next = nextDueAt(plan, now);
      expect(next === undefined).toBe(now >= unpaidEndsAt(plan));
      if (next) expect([1, 3, 7]).toContain((next.getTime() - pastDueSince.getTime()) / day);
    }),
  );
});

test("a canceled plan that is past due is due at its end, which is never after its period or a week", () => {
  fc.assert(
    fc.property(instants, fc.nat({ max: 31 }), fc.nat({ max: 9 }), (pastDueSince, left, days) => {
      const after = (count: number) => new Date(pastDueSince.getTime() + count * day);
      const plan = { pastDueSince, periodEndsAt: after(left), cancelAtPeriodEnd: true };
      const endsAt = after(Math.min(7, left));
      expect(unpaidEndsAt(plan)).toEqual(endsAt);
      expect(nextDueAt(plan, after(days))).toEqual(after(days) < endsAt ? endsAt : undefined);
    }),
  );
});
