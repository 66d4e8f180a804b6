import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import { instantOfLocalHour, localDateOf } from "../time-zone.ts";

/** The rhythm, the formats and the limits of scheduled reports, and when one is due. Pure. */
export const reportFrequencies = ["daily", "weekly", "monthly"] as const;
export type ReportFrequency = (typeof reportFrequencies)[number];

export const reportFormats = ["csv", "pdf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Monday first, as ISO 8601 numbers them from 1. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];

export const reportLimits = { perAccount: 50, recipients: 20 } as const;

/** When a report is sent. A day of the month that the month lacks is its last day. */
export type ReportTiming = {
  frequency: ReportFrequency;
  /** Used by weekly reports. */
  weekday: Weekday;
  /** 1 to 31, used by monthly reports. */
  dayOfMonth: number;
  /** 0 to 23 in the time zone. */
  hour: number;
  /** A name of the IANA list. */
  timeZone: string;
};

/** Returns the first due moment after an instant. */
export function nextDueAfter(timing: ReportTiming, after: Date): Date {
  // A skipped calendar day is due on the next one, so a day that is already over may still be due.
  for (let date = addDays(localDateOf(after, timing.timeZone), -2); ; date = addDays(date, 1)) {
    if (!isDueOn(timing, date)) continue;
    const at = instantOfLocalHour({ date, hour: timing.hour }, timing.timeZone);
    if (at > after) return at;
  }
}

/** Returns the last due moment that is not after an instant. */
export function lastDueUntil(timing: ReportTiming, until: Date): Date {
  for (let date = addDays(localDateOf(until, timing.timeZone), 1); ; date = addDays(date, -1)) {
    if (!isDueOn(timing, date)) continue;
    const at = instantOfLocalHour({ date, hour: timing.hour }, timing.timeZone);
    if (at <= until) return at;
  }
}

/**
 * Returns the day that a due moment belongs to: the one on which it is due, also where clocks skip the rest of that day
 * and already show the next one. Clocks in Nuuk go from Saturday 23:00 to Sunday in March.
 */
export function dueDateOf(timing: ReportTiming, at: Date): CalendarDate {
  const shown = localDateOf(at, timing.timeZone);
  const isDueAt = (date: CalendarDate) =>
    isDueOn(timing, date) &&
    instantOfLocalHour({ date, hour: timing.hour }, timing.timeZone).getTime() === at.getTime();
  const before = addDays(shown, -1);
  return !isDueAt(shown) && isDueAt(before) ? before : shown;
}

/** Returns how many due moments are in `[from, to)`, at most 1,000. */
export function countDueMoments(timing: ReportTiming, { from, to }: { from: Date; to: Date }): number {
  let count = 0;
  for (let at = from; at < to && count < 1_000; at = nextDueAfter(timing, at)) count += 1;
  return count;
}

function isDueOn({ frequency, weekday, dayOfMonth }: ReportTiming, date: CalendarDate): boolean {
  switch (frequency) {
    case "daily":
      return true;
    case "weekly":
      return weekdayOf(date) === weekday;
    case "monthly":
      return Number(date.slice(8)) === Math.min(dayOfMonth, daysInMonth(date));
  }
}

function weekdayOf(date: CalendarDate): Weekday {
  return weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? "monday";
}

function daysInMonth(date: CalendarDate): number {
  const first = `${date.slice(0, 7)}-01`;
  const lastDay = new Date(`${first}T00:00:00Z`);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  return Number(calendarDateOf(lastDay).slice(8));
}
