import { type CalendarMonth, calendarMonthOf } from "../../calendar-month.ts";

/** How many days after its end a month closes (decision 90). */
export const defaultMonthClosingDays = 45;

/** Returns the first month (UTC) that is open at an instant. Pure. */
export function firstOpenMonth(now: Date, closingDays = defaultMonthClosingDays): CalendarMonth {
  return calendarMonthOf(new Date(now.getTime() - closingDays * 86_400_000));
}
