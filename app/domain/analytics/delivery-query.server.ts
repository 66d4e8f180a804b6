import { type SQL, sql } from "drizzle-orm";
import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Dimension } from "./analytics.ts";
import { intervalStart, nextInterval } from "./interval.ts";
import type { Period } from "./period.ts";

/** Two groupings are two keys. `week` and `month` are sums of days, so a source has only days. */
export type DeliveryQuery = {
  period: Period;
  filters: AnalyticsFilters;
  group: SourceGrouping | "all";
  split?: SourceGrouping;
  /** The campaigns to read, where the others are not asked for: their line items are found by their keys. */
  campaigns?: readonly string[];
};
type SourceGrouping = Dimension | "day";

export function isGroupedBy({ group, split }: DeliveryQuery, ...groupings: SourceGrouping[]): boolean {
  return groupings.some((one) => one === group || one === split);
}

export const counters = sql.raw(
  "fact.impressions, fact.clicks, fact.conversions, fact.spend_micros, fact.revenue_micros",
);

/** Selects the keys of the query's groupings from the columns of a source. */
export function selectKeys({ group, split }: DeliveryQuery, columns: Record<SourceGrouping, SQL>): SQL {
  const key = group === "all" ? sql`''` : columns[group];
  return split ? sql`${key} as key, ${columns[split]} as split_key` : sql`${key} as key`;
}

/** Splits a period into its whole months and the days before and after them. */
export function splitMonths(ctx: ReadCtx<TenantActor>, period: Period): { months?: Period; days: Period[] } {
  const { from, to } = period;
  const first = from.endsWith("-01") ? from : monthAfter(from);
  // Nothing is delivered after today, so the current month counts as whole.
  const end = to >= calendarDateOf(ctx.clock()) ? monthAfter(to) : monthOf(addDays(to, 1));
  if (first >= end) return { days: [period] };
  const days: Period[] = [];
  if (from < first) days.push({ from, to: addDays(first, -1) });
  if (end <= to) days.push({ from: end, to });
  return { months: { from: first, to: addDays(end, -1) }, days };
}

export function monthOf(day: CalendarDate): CalendarDate {
  return intervalStart(day, "month");
}

function monthAfter(day: CalendarDate): CalendarDate {
  return nextInterval(monthOf(day), "month");
}

export function inPeriod(period: Period): SQL {
  return between(sql`day`, period);
}

export function between(place: SQL, { from, to }: Period): SQL {
  return sql`fact.${place} between ${from}::date and ${to}::date`;
}

export function factFilters({ audience, channel }: AnalyticsFilters): SQL {
  return sql`${audience ? sql`and fact.audience_id = ${audience}` : sql``} ${channel ? sql`and fact.channel = ${channel}` : sql``}`;
}
