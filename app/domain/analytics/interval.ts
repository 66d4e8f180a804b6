import { addDays, type CalendarDate, daysInclusive, firstOfMonth, firstOfNextMonth } from "../calendar-date.ts";
import type { Interval } from "./analytics.ts";
import type { Period } from "./period.ts";

/**
 * A day, a week from Monday to Sunday, or a calendar month. `from` and `to` are its days within the period. It is
 * partial when the period has only some of its days, or when it contains today, which is incomplete.
 */
export type PeriodInterval = Period & { start: CalendarDate; isPartial: boolean };

/** Returns the intervals of a period in chronological order. Pure. */
export function intervalsIn({ from, to }: Period, interval: Interval, today: CalendarDate): PeriodInterval[] {
  const found: PeriodInterval[] = [];
  for (let start = intervalStart(from, interval); start <= to; ) {
    const next = nextInterval(start, interval);
    const last = addDays(next, -1);
    found.push({
      start,
      from: start < from ? from : start,
      to: last > to ? to : last,
      isPartial: start < from || last > to || (start <= today && last >= today),
    });
    start = next;
  }
  return found;
}

const maxDaysByDay = 92;
const maxDaysByWeek = 366;

/** Returns the interval of a period when none is chosen: days up to three months, weeks up to a year, then months. */
export function defaultInterval({ from, to }: Period): Interval {
  const days = daysInclusive(from, to);
  if (days <= maxDaysByDay) return "day";
  return days <= maxDaysByWeek ? "week" : "month";
}

/** Returns the first day of the interval that contains the day. */
export function intervalStart(day: CalendarDate, interval: Interval): CalendarDate {
  if (interval === "day") return day;
  if (interval === "month") return firstOfMonth(day);
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** Returns the start of the interval after the one that starts on the day. */
export function nextInterval(start: CalendarDate, interval: Interval): CalendarDate {
  if (interval === "month") return firstOfNextMonth(start);
  return addDays(start, interval === "week" ? 7 : 1);
}
