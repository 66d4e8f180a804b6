import { addMonths, type CalendarMonth, formatMonth, monthsSince } from "../calendar-month.ts";

/** How far back a month is found by its name. */
const monthsBack = 119;

/** Returns the months up to `now` that the text names, newest first: `november 2026`, `Nov`, `2026-11`. Pure. */
export function matchingMonths(q: string, now: CalendarMonth): CalendarMonth[] {
  const text = q.toLowerCase().replace(/\s+/g, " ");
  if (!/^[a-z]{3,9}(?: \d{0,4})?$|^\d{4}-\d{1,2}$/.test(text)) return [];
  return monthsSince(addMonths(now, -monthsBack), now).filter((month) => {
    const name = formatMonth(month).toLowerCase();
    return [name, name.replace(/^(\w{3})\w*/, "$1"), month].some((form) => form.startsWith(text));
  });
}
