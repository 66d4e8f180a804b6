import { addDays, type CalendarDate, daysInclusive } from "../calendar-date.ts";

/** The presets of the date range. */
export const dateRangePresets = ["7d", "30d", "90d", "1y", "custom"] as const;
export type DateRangePreset = (typeof dateRangePresets)[number];
export const defaultRange: DateRangePreset = "30d";
export const rangeLabels: Record<DateRangePreset, string> = {
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "1y": "Last 12 months",
  custom: "Custom range",
};

const rangeDays: Record<Exclude<DateRangePreset, "custom">, number> = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 };

/** The maximum length of a period: two years. */
export const maxPeriodDays = 731;

/** Days (UTC), the first and the last included. */
export type Period = { from: CalendarDate; to: CalendarDate };

/**
 * Resolves the requested days up to and including today. A custom range may lack an end or have its ends swapped; it
 * never ends after today and never exceeds the last two years before its end. Never fails. Pure.
 */
export function resolvePeriod(
  query: { range?: DateRangePreset; from?: CalendarDate; to?: CalendarDate },
  today: CalendarDate,
): Period {
  const { range = query.from || query.to ? "custom" : defaultRange } = query;
  if (range !== "custom") return { from: addDays(today, 1 - rangeDays[range]), to: today };
  const to = earlier(query.to ?? today, today);
  const from = earlier(query.from ?? addDays(to, 1 - rangeDays["30d"]), today);
  const [first, last] = from <= to ? [from, to] : [to, from];
  return { from: later(first, addDays(last, 1 - maxPeriodDays)), to: last };
}

/** The error for the first day of a range that begins too long before its end. */
export const shortenedRange = `Enter a later day. A period has at most ${maxPeriodDays} days, which are two years.`;

/** The error for the last day of a range that ends before it starts. */
export const reversedRange = "Enter a day that is not before the first";

/** Returns whether a custom range ends before it starts. Dates compare as text. */
export function isReversed({ range, from, to }: { range?: DateRangePreset; from?: string; to?: string }): boolean {
  return (range === undefined || range === "custom") && from !== undefined && to !== undefined && to < from;
}

/** Returns whether the days that are asked for are more than the two years that a period has at most. */
export function isShortened(query: Parameters<typeof resolvePeriod>[0], today: CalendarDate): boolean {
  const { range = "custom", from } = query;
  return range === "custom" && from !== undefined && !isReversed(query) && from < resolvePeriod(query, today).from;
}

/** The error for the first day of a range that begins after today. */
export const futureRange = "Enter a day that is not after today (UTC)";

/** Returns whether a custom range begins after today, so that there are no figures of it. */
export function isFuture({ range, from }: { range?: DateRangePreset; from?: string }, today: CalendarDate): boolean {
  return (range === undefined || range === "custom") && from !== undefined && from > today;
}

/** Returns the same number of days before the period. */
export function previousPeriod({ from, to }: Period): Period {
  return { from: addDays(from, -daysInclusive(from, to)), to: addDays(from, -1) };
}

function earlier(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one < other ? one : other;
}

function later(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one > other ? one : other;
}
