import { type AnyColumn, and, gte, lt } from "drizzle-orm";
import { addMonths, type CalendarMonth, firstInstantOf } from "../calendar-month.ts";

/** Returns the condition that an instant lies in the month (UTC); undefined without a month. */
export function withinMonth(instant: AnyColumn, month: CalendarMonth | undefined) {
  return month && and(gte(instant, firstInstantOf(month)), lt(instant, firstInstantOf(addMonths(month, 1))));
}
