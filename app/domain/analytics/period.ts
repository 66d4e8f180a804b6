import { addDays, type CalendarDate, daysInclusive } from "../calendar-date.ts";

/** How far back one looks. */
export const ranges = ["7d", "30d", "90d", "1y", "custom"] as const;
export type Range = (typeof ranges)[number];
export const defaultRange: Range = "30d";
export const rangeLabels: Record<Range, string> = {
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "1y": "Last year",
  custom: "Custom range",
};

const rangeDays: Record<Exclude<Range, "custom">, number> = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 };

/** The most days one can look at together: two years. */
const mostDays = 731;

/** Days (UTC), the first and the last counted. */
export type Period = { from: CalendarDate; to: CalendarDate };

/**
 * The days asked for, up to today, which is one of them. A custom range may lack an end or have its ends the other way round; it is
 * never later than today and never longer than two years, of which it is the last. Never fails. Pure.
 */
export function periodOf(
  asked: { range?: Range; from?: CalendarDate; to?: CalendarDate },
  today: CalendarDate,
): Period {
  const { range = asked.from || asked.to ? "custom" : defaultRange } = asked;
  if (range !== "custom") return { from: addDays(today, 1 - rangeDays[range]), to: today };
  const to = earlier(asked.to ?? today, today);
  const from = earlier(asked.from ?? addDays(to, 1 - rangeDays["30d"]), today);
  const [first, last] = from <= to ? [from, to] : [to, from];
  return { from: later(first, addDays(last, 1 - mostDays)), to: last };
}

/** What is said at the last day of a range that ends before it begins. */
export const reversedRange = "Enter a day that is not before the first";

/** Whether somebody's own range ends before it begins. Days as texts compare as days. */
export function isReversed({ range, from, to }: { range?: Range; from?: string; to?: string }): boolean {
  return (range === undefined || range === "custom") && from !== undefined && to !== undefined && to < from;
}

/** The as many days before. */
export function previousPeriod({ from, to }: Period): Period {
  return { from: addDays(from, -daysInclusive(from, to)), to: addDays(from, -1) };
}

function earlier(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one < other ? one : other;
}

function later(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one > other ? one : other;
}
