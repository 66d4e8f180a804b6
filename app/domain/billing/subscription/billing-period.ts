import { asCents, type Cents } from "../../money.ts";

/** A period that is paid for: from an instant to the same day and time of the next month (UTC). */
export type BillingPeriod = { startedAt: Date; endsAt: Date };

const dayMs = 24 * 3_600_000;

/**
 * Returns the period that starts at `startedAt`, for a plan that began at `anchor`. It ends on the anchor's day of the
 * next month, or on that month's last day: after January 31 periods end on February 28 and March 31. Pure.
 */
export function periodFrom(anchor: Date, startedAt: Date): BillingPeriod {
  const months =
    (startedAt.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + startedAt.getUTCMonth() - anchor.getUTCMonth();
  return { startedAt, endsAt: monthsAfter(anchor, months + 1) };
}

function monthsAfter(anchor: Date, months: number): Date {
  const at = new Date(anchor);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return at;
}

/**
 * Returns the days of a period and how many are left. A day is 24 hours from the start of the period; the current day
 * counts as left. Pure.
 */
export function periodDays({ startedAt, endsAt }: BillingPeriod, now: Date): { all: number; left: number } {
  const all = Math.round((endsAt.getTime() - startedAt.getTime()) / dayMs);
  const left = Math.ceil((endsAt.getTime() - now.getTime()) / dayMs);
  return { all, left: Math.max(0, Math.min(all, left)) };
}

/**
 * Returns the price of an upgrade from now on, in cents: the part of the price difference for the days left, rounded
 * down. It is computed by days, so that the quoted price is the one charged; several upgrades never cost more than one.
 * Pure.
 */
export function proratedAmount(difference: Cents, days: { all: number; left: number }): Cents {
  return asCents(Math.floor((difference * days.left) / days.all));
}
