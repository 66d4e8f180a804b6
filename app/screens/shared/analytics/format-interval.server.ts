import type { Interval } from "#app/domain/analytics/analytics.ts";
import type { PeriodInterval } from "#app/domain/analytics/interval.ts";
import { type CalendarDate, formatDate, formatFlight } from "#app/domain/calendar-date.ts";

/**
 * Formats an interval by its days in the period: `Nov 3, 2026`, or `Nov 2 – Nov 8, 2026` with a note where it is
 * partial.
 */
export function formatInterval(
  { from, to, isPartial }: Omit<PeriodInterval, "start">,
  { interval, today }: { interval: Interval; today: CalendarDate },
): string {
  const days = from === to ? formatDate(from) : formatFlight(from, to);
  if (!isPartial) return days;
  return `${days}, ${to === today ? "so far" : `partial ${interval}`}`;
}
