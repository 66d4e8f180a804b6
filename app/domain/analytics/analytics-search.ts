import { z } from "zod";
import { type AccountType, accountTypes } from "../accounts/account.ts";
import { type CalendarDate, parseCalendarDate } from "../calendar-date.ts";
import { channels } from "../campaigns/campaign.ts";
import { productLimits } from "../catalog/product.ts";
import {
  type AnalyticsFilters,
  type Dimension,
  dimensions,
  dimensionsOf,
  type Grouping,
  groupings,
  type Interval,
  intervals,
  isInterval,
  type PerformanceSort,
  performanceSorts,
  type SortOrder,
} from "./analytics.ts";
import { parseAnalyticsQuery } from "./analytics-payloads.ts";
import { defaultInterval } from "./interval.ts";
import { defaultMetric, keyMetrics, type PerformanceColumn, sortsOf } from "./performance-columns.ts";
import { dateRangePresets, type Period } from "./period.ts";

const textOf = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .transform((value) => value.replaceAll("\0", "") || undefined)
    .optional()
    .catch(undefined);
const text = textOf(200);
const day = z
  .string()
  .transform((value) => parseCalendarDate(value))
  .optional()
  .catch(undefined);
const metric = z.string().max(40).optional().catch(undefined);

/** The parameters of the URL of analytics, each optional; an invalid value counts as absent. */
export const analyticsSearchParams = {
  /** Whether to group by campaigns or by audiences. The metrics are the account's own either way. */
  view: z.enum(accountTypes).optional().catch(undefined),
  range: z.enum(dateRangePresets).optional().catch(undefined),
  from: day,
  to: day,
  campaign: text,
  audience: text,
  /** A character of a product's category may be two units of the text. */
  category: textOf(2 * productLimits.category),
  channel: z.enum(channels).optional().catch(undefined),
  /** The label of the metric of the charts, and of a second one beside it. */
  metric,
  second: metric,
  /** The length of the chart's points. */
  interval: z.enum(intervals).optional().catch(undefined),
  /** The dimension of the table's rows, and of the rows within each of them. */
  group: z.enum(groupings).optional().catch(undefined),
  split: z.enum(dimensions).optional().catch(undefined),
  sort: z.enum(performanceSorts).optional().catch(undefined),
  order: z.enum(["ascending", "descending"]).optional().catch(undefined),
};
export type AnalyticsSearch = z.output<z.ZodObject<typeof analyticsSearchParams>>;

/** What a URL of analytics shows, with the defaults for what the URL does not say. */
export type AnalyticsRequest = {
  period: Period;
  filters: AnalyticsFilters;
  metric: PerformanceColumn;
  second: PerformanceColumn | undefined;
  interval: Interval;
  group: Grouping;
  split: Dimension | undefined;
  sort: PerformanceSort | undefined;
  order: SortOrder | undefined;
};

/**
 * Resolves the parameters for the account's side on a day: relative ranges end on `today`. What the side does not have,
 * such as the other's metrics, counts as absent. Never fails. Pure.
 */
export function resolveAnalyticsSearch(
  search: AnalyticsSearch,
  { side, today }: { side: AccountType; today: CalendarDate },
): AnalyticsRequest {
  const { period, filters } = parseAnalyticsQuery(search, today);
  const columns = keyMetrics[side];
  const chosen = columns.find(({ label }) => label === search.metric) ?? defaultMetric[side];
  const isOwn = (one: Grouping | undefined): one is Grouping =>
    one !== undefined && (isInterval(one) || dimensionsOf[side].includes(one));
  const asked = isOwn(search.group) ? search.group : defaultGrouping[search.view ?? side];
  // A table of days follows the interval that is chosen for the chart.
  const group = isInterval(asked) ? (search.interval ?? asked) : asked;
  const { split } = search;
  const isOwnSort = search.sort === undefined || sortsOf(side).includes(search.sort);
  return {
    period,
    filters,
    metric: chosen,
    second: columns.find(({ label }) => label === search.second && label !== chosen.label),
    interval: search.interval ?? defaultInterval(period),
    group,
    split: split && isOwn(split) && split !== group && !isInterval(group) ? split : undefined,
    sort: isOwnSort ? search.sort : undefined,
    order: isOwnSort ? search.order : undefined,
  };
}

/** Returns which parameters have a metric that the account's side does not have; they count as absent. Pure. */
export function foreignMetrics(search: AnalyticsSearch, side: AccountType): ("metric" | "second" | "sort")[] {
  const isOwn = (label: string | undefined) =>
    label === undefined || keyMetrics[side].some((column) => column.label === label);
  return [
    ...(isOwn(search.metric) ? [] : ["metric" as const]),
    ...(isOwn(search.second) ? [] : ["second" as const]),
    ...(search.sort === undefined || sortsOf(side).includes(search.sort) ? [] : ["sort" as const]),
  ];
}

/**
 * Returns which parameters have a dimension that the account's side does not have, or that does not split the rows of
 * the other; they count as absent. Pure.
 */
export function foreignDimensions(
  search: AnalyticsSearch,
  reader: { side: AccountType; today: CalendarDate },
): ("group" | "split")[] {
  const { group, split } = resolveAnalyticsSearch(search, reader);
  const isForeign = search.group !== undefined && !isInterval(search.group) && search.group !== group;
  return [...(isForeign ? ["group" as const] : []), ...(search.split === split ? [] : ["split" as const])];
}

/** The grouping of each view when none is chosen. */
const defaultGrouping: Record<AccountType, Dimension> = { advertiser: "campaign", publisher: "audience" };
