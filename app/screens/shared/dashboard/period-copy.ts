import { type CalendarDate, formatFlight } from "#app/domain/calendar-date.ts";

/** Formats `Last 30 days, Oct 22 – Nov 20, 2026`. */
export function describePeriod(days: readonly { day: CalendarDate }[]): string {
  return `Last ${days.length} days, ${formatFlight(days[0]?.day ?? null, days.at(-1)?.day ?? null)}`;
}

/** Whether there was any delivery in the period or the previous one; otherwise there is nothing to draw. */
export function hasDelivery({
  totals,
  previous,
}: {
  totals: { impressions: number };
  previous: { impressions: number };
}): boolean {
  return totals.impressions > 0 || previous.impressions > 0;
}
