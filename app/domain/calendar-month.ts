import { type CalendarDate, parseCalendarDate } from "./calendar-date.ts";

/** A month of UTC days, `YYYY-MM`. */
declare const calendarMonth: unique symbol;
export type CalendarMonth = string & { readonly [calendarMonth]: true };

/** Parses a month; undefined unless the text is a month between 2000 and 2199. */
export function parseCalendarMonth(text: string): CalendarMonth | undefined {
  return parseCalendarDate(`${text}-01`) ? (text as CalendarMonth) : undefined;
}

/** Returns the UTC month of the instant. */
export function calendarMonthOf(instant: Date): CalendarMonth {
  return instant.toISOString().slice(0, 7) as CalendarMonth;
}

export function addMonths(month: CalendarMonth, months: number): CalendarMonth {
  const day = firstInstantOf(month);
  day.setUTCMonth(day.getUTCMonth() + months);
  return calendarMonthOf(day);
}

/** Returns midnight (UTC) at the start of the month; the month ends at the start of the next one. */
export function firstInstantOf(month: CalendarMonth): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}

export function firstDayOf(month: CalendarMonth): CalendarDate {
  return `${month}-01` as CalendarDate;
}

/** Lists the months from `month` back to `first`, newest first, at most ten years. */
export function monthsSince(first: CalendarMonth, month: CalendarMonth): CalendarMonth[] {
  const months: CalendarMonth[] = [];
  for (let at = month; at >= first && months.length < 120; at = addMonths(at, -1)) months.push(at);
  return months;
}

const longMonth = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** `November 2026`. */
export function formatMonth(month: CalendarMonth): string {
  return longMonth.format(firstInstantOf(month));
}
