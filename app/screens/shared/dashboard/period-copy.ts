import { type CalendarDate, formatFlight } from "#app/domain/calendar-date.ts";

/** Formats `Last 30 days, Oct 22 – Nov 20, 2026`. */
export function describePeriod(days: readonly { day: CalendarDate }[]): string {
  return `Last ${days.length} days, ${formatFlight(days[0]?.day ?? null, days.at(-1)?.day ?? null)}`;
}

type Totals = { impressions: number; spendCents?: number; earnedCents?: number };

/**
 * Whether there was any delivery in the period or the previous one, of which the cost may be reported without
 * impressions; otherwise there is nothing to draw.
 */
export function hasDelivery({ totals, previous }: { totals: Totals; previous: Totals }): boolean {
  return [totals, previous].some(
    ({ impressions, spendCents = 0, earnedCents = 0 }) => impressions > 0 || spendCents > 0 || earnedCents > 0,
  );
}
