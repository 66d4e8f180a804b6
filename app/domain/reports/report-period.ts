import type { Period } from "../analytics/period.ts";
import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import { addMonths, type CalendarMonth, firstDayOf } from "../calendar-month.ts";

/** The days of a scheduled report, relative to the day on which it is due. Pure. */
export const reportRanges = [
  "yesterday",
  "last_7_days",
  "last_30_days",
  "last_90_days",
  "last_week",
  "month_to_date",
  "last_month",
] as const;
export type ReportRange = (typeof reportRanges)[number];

export const reportRangeLabels: Record<ReportRange, string> = {
  yesterday: "Yesterday",
  last_7_days: "Last 7 days",
  last_30_days: "Last 30 days",
  last_90_days: "Last 90 days",
  last_week: "Last week (Monday to Sunday)",
  month_to_date: "Month to date",
  last_month: "Last month",
};

/**
 * Returns the days of a range for a report that is due on a day of the schedule's time zone. The day before it is the
 * last: month to date, due on the 1st, is the whole month before.
 */
export function resolveReportPeriod(range: ReportRange, today: CalendarDate): Period {
  const yesterday = addDays(today, -1);
  switch (range) {
    case "yesterday":
      return { from: yesterday, to: yesterday };
    case "last_7_days":
      return { from: addDays(today, -7), to: yesterday };
    case "last_30_days":
      return { from: addDays(today, -30), to: yesterday };
    case "last_90_days":
      return { from: addDays(today, -90), to: yesterday };
    case "last_week": {
      const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
      return { from: addDays(monday, -7), to: addDays(monday, -1) };
    }
    case "month_to_date":
      return { from: firstDayOf(monthOf(yesterday)), to: yesterday };
    case "last_month": {
      const first = firstDayOf(monthOf(today));
      return { from: firstDayOf(addMonths(monthOf(today), -1)), to: addDays(first, -1) };
    }
  }
}

/** Returns whether the last day (UTC) is not over at an instant, so that its figures may still grow. */
export function isPeriodIncomplete({ to }: Period, at: Date): boolean {
  return to >= calendarDateOf(at);
}

function monthOf(date: CalendarDate): CalendarMonth {
  return date.slice(0, 7) as CalendarMonth;
}
