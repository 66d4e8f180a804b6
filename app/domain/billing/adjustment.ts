import type { CalendarDate } from "../calendar-date.ts";
import { formatMonth, parseCalendarMonth } from "../calendar-month.ts";

/** Describes an amount that adjusts a closed month, given by its first day: `Adjustment for November 2026`. Pure. */
export function describeAdjustment(adjustsMonth: CalendarDate): string {
  const month = parseCalendarMonth(adjustsMonth.slice(0, 7));
  return month ? `Adjustment for ${formatMonth(month)}` : "Adjustment";
}

/** Returns a description with the closed month that its amount adjusts, if any, for places with one column. Pure. */
export function withAdjustment(description: string, adjustsMonth: CalendarDate | null): string {
  return adjustsMonth ? `${description} (${describeAdjustment(adjustsMonth)})` : description;
}

/** Returns the month of an adjustment as the JSON API has it: `2026-11`, or null. Pure. */
export function adjustedMonthOnWire(adjustsMonth: CalendarDate | null): string | null {
  return adjustsMonth?.slice(0, 7) ?? null;
}
