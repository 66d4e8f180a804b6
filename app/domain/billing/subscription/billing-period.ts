import { type Cents, toCents } from "../../money.ts";

/** What a plan is paid for: from an instant to the same day and time of the next month (UTC). */
export type BillingPeriod = { startedAt: Date; endsAt: Date };

const day = 24 * 3_600_000;

/**
 * The period of a plan that began at `anchor` and starts at `startedAt`. It ends on the anchor's day of the next month, or on that
 * month's last where it has no such day: from January 31 on periods end on February 28 and March 31. Pure.
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

/** Days of a period, and how many of them are left: of 24 hours from its first instant, the one that has begun is one of them. Pure. */
export function daysOf({ startedAt, endsAt }: BillingPeriod, now: Date): { all: number; left: number } {
  const all = Math.round((endsAt.getTime() - startedAt.getTime()) / day);
  const left = Math.ceil((endsAt.getTime() - now.getTime()) / day);
  return { all, left: Math.max(0, Math.min(all, left)) };
}

/**
 * What it costs, in cents, to have a larger plan from now on: of the difference between the two prices the part of the days that
 * are left, rounded down. By days, so that what is said before the click is what is paid after it; several steps up never cost
 * more than the one. Pure.
 */
export function prorated(difference: Cents, days: { all: number; left: number }): Cents {
  return toCents(Math.floor((difference * days.left) / days.all));
}
