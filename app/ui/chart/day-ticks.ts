import { type CalendarDate, daysInclusive } from "#app/domain/calendar-date.ts";

/** A date below the plot. `optional` dates are hidden if the plot is narrow. */
export type DayTick = { index: number; label: string; optional: boolean };

const maxTicks = 8;
const dayAndMonth = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const monthFormat = new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" });

/** Formats `Nov 20`. */
export function formatDay(day: CalendarDate): string {
  return dayAndMonth.format(new Date(`${day}T00:00:00Z`));
}

/**
 * Returns at most eight dates of consecutive days: every first, second, seventh or fourteenth day; beyond four months,
 * the points where a month begins.
 */
export function dayTicks(days: readonly CalendarDate[]): DayTick[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const indexes = daysInclusive(first, last) > 120 ? monthStarts(days) : everyNth(days.length);
  const monthly = daysInclusive(first, last) > 120;
  return indexes.map((index, position) => {
    const day = days[index] ?? first;
    return {
      index,
      label: monthly ? formatMonth(day) : formatDay(day),
      optional: indexes.length > 4 && position % 2 === 1,
    };
  });
}

function everyNth(length: number): number[] {
  const step = [1, 2, 7, 14, 28].find((days) => length / days <= maxTicks) ?? Math.ceil(length / maxTicks);
  return Array.from({ length: Math.ceil(length / step) }, (_, position) => position * step);
}

/** Returns the starts of every first, second, third … month, so that they fit. */
function monthStarts(days: readonly CalendarDate[]): number[] {
  const starts = days.flatMap((day, index) => {
    const before = days[index - 1];
    return before && before.slice(0, 7) !== day.slice(0, 7) ? [index] : [];
  });
  const step = Math.ceil(starts.length / maxTicks);
  return starts.filter((_, position) => position % step === 0);
}

function formatMonth(day: CalendarDate): string {
  const month = monthFormat.format(new Date(`${day}T00:00:00Z`));
  return day.slice(5, 7) === "01" ? `${month} ${day.slice(0, 4)}` : month;
}
