import { formatDate, parseCalendarDate } from "../calendar-date.ts";
import { asCents, formatCents } from "../money.ts";
import type { NotificationFacts } from "./notification.ts";

/** Formats an amount of a notification, in US dollars; `$0.00` where it has none. */
export function formatDollars(amount = 0): string {
  return formatCents(asCents(Math.round(amount * 100)));
}

/** Formats the day of a notification; undefined where it has none. */
export function formatDay({ day }: Pick<NotificationFacts, "day">): string | undefined {
  const known = day && parseCalendarDate(day);
  return known ? formatDate(known) : undefined;
}
