import { z } from "zod";
import { fieldRules } from "./field-rules.ts";

/** A day without a time, `YYYY-MM-DD`. A campaign's day is a UTC day. */
declare const calendarDate: unique symbol;
export type CalendarDate = string & { readonly [calendarDate]: true };

/**
 * Parses a date; undefined unless the text is a real day between 2000 and 2199 (`2026-02-30` and `infinity` are not).
 */
export function parseCalendarDate(text: string): CalendarDate | undefined {
  const match = /^(2[01]\d\d)-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return undefined;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? (text as CalendarDate) : undefined;
}

/** Returns the UTC day of the instant. */
export function calendarDateOf(instant: Date): CalendarDate {
  return instant.toISOString().slice(0, 10) as CalendarDate;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  const day = new Date(`${date}T00:00:00.000Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return calendarDateOf(day);
}

/** Returns the first day of the month of a date. */
export function firstOfMonth(date: CalendarDate): CalendarDate {
  return addDays(date, 1 - Number(date.slice(8)));
}

/** Returns the first day of the month after the one of a date. */
export function firstOfNextMonth(date: CalendarDate): CalendarDate {
  return firstOfMonth(addDays(firstOfMonth(date), 31));
}

/** Returns the number of days between two dates, both included: a flight of one day is 1. */
export function daysInclusive(from: CalendarDate, to: CalendarDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1;
}

const dateFormatMessage = "Enter a date as YYYY-MM-DD";
/** A date field that shows `mm/dd/yyyy` sends `0026-11-30` for a year of two digits. */
const dateRangeMessage = "Enter a year from 2000 to 2199";

/** The schema of a day in a payload. Marked pure, so that `formatDate` does not add 15 KB of zod to browser bundles. */
export const calendarDateSchema = /* @__PURE__ */ z
  .string(dateFormatMessage)
  .transform((text, ctx): CalendarDate => {
    const read = parseCalendarDate(text.trim());
    if (!read) {
      ctx.addIssue({ code: "custom", message: describeRejected(text.trim()) });
      return z.NEVER;
    }
    return read;
  })
  .register(fieldRules, {
    patterns: [
      [/^\s*\d{4,6}-\d\d-\d\d\s*$/, dateFormatMessage],
      [/^\s*2[01]\d\d-/, dateRangeMessage],
    ],
  });

function describeRejected(text: string): string {
  if (!/^\d{4,6}-\d\d-\d\d$/.test(text)) return dateFormatMessage;
  return /^2[01]\d\d-/.test(text) ? "This day does not exist. Enter another date." : dateRangeMessage;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * `Nov 27, 2026`, the UTC day of an instant. From its digits, because `Intl` takes three to five times as long, and a
 * list has fifty.
 */
export function formatDate(date: CalendarDate | Date): string {
  const [year = "", month, day] = (typeof date === "string" ? date : calendarDateOf(date)).split("-");
  return `${months[Number(month) - 1]} ${Number(day)}, ${year}`;
}

/** `Nov 27 – Dec 24, 2026`; the first year is included only if it differs. */
export function formatFlight(from: CalendarDate | null, to: CalendarDate | null): string {
  if (!from && !to) return "Not set";
  if (!from || !to) return from ? `From ${formatDate(from)}` : to ? `Until ${formatDate(to)}` : "Not set";
  const start = from.slice(0, 4) === to.slice(0, 4) ? formatDate(from).replace(/, \d{4}$/, "") : formatDate(from);
  return `${start} – ${formatDate(to)}`;
}
