import type { TenantActor } from "../context.ts";
import { type Grouping, isInterval, type PerformanceSort } from "./analytics.ts";
import type { OwnMetrics } from "./delivery-metrics.ts";

/** A metric of the performance table: money in cents, percent in percent, times as a ratio; null without a value. */
export type PerformanceColumn = {
  label: string;
  kind: "money" | "count" | "percent" | "times";
  of: (figures: OwnMetrics) => number | null;
  sort?: PerformanceSort;
  /** A ratio of sums: the values of parts do not add up to the value of the whole. */
  isRatio?: true;
  /** What a rise means for the reader: better unless it says otherwise. A cost is worse, spend is neither. */
  rise?: "worse" | "neutral";
};

const impressions = {
  label: "Impressions",
  kind: "count",
  sort: "impressions",
  of: (row) => row.impressions,
} as const satisfies PerformanceColumn;
const clicks = {
  label: "Clicks",
  kind: "count",
  sort: "clicks",
  of: (row) => row.clicks,
} as const satisfies PerformanceColumn;
const ctr = {
  label: "CTR",
  kind: "percent",
  isRatio: true,
  sort: "ctr",
  of: (row) => (row.impressions === 0 ? null : row.ctr),
} as const satisfies PerformanceColumn;
const conversions = {
  label: "Conversions",
  kind: "count",
  sort: "conversions",
  of: (row) => row.conversions,
} as const satisfies PerformanceColumn;
const conversionRate = {
  label: "Conversion rate",
  kind: "percent",
  isRatio: true,
  of: (row) => (row.clicks === 0 ? null : row.conversionRate),
} as const satisfies PerformanceColumn;
const spend = {
  label: "Spend",
  kind: "money",
  rise: "neutral",
  sort: "spend",
  of: (row) => row.spendCents,
} as const satisfies PerformanceColumn;
const revenue = {
  label: "Revenue",
  kind: "money",
  sort: "revenue",
  of: (row) => row.revenueCents ?? null,
} as const satisfies PerformanceColumn;
const roas = {
  label: "ROAS",
  kind: "times",
  isRatio: true,
  sort: "roas",
  of: (row) => row.roas ?? null,
} as const satisfies PerformanceColumn;
const cpm = {
  label: "CPM",
  kind: "money",
  isRatio: true,
  rise: "worse",
  of: (row) => row.cpmCents,
} as const satisfies PerformanceColumn;
const earnings = {
  label: "Earnings",
  kind: "money",
  sort: "earnings",
  of: (row) => row.earnedCents ?? null,
} as const satisfies PerformanceColumn;
const earnedCpm = {
  label: "eCPM",
  kind: "money",
  isRatio: true,
  of: (row) => row.earnedCpmCents ?? null,
} as const satisfies PerformanceColumn;

type Side = TenantActor["kind"];

/** The metrics of the table, on screen and in exports. Publishers do not see what campaigns earn their advertiser. */
export const performanceColumns: Record<Side, readonly PerformanceColumn[]> = {
  advertiser: [impressions, clicks, ctr, conversions, spend, revenue, roas],
  publisher: [impressions, clicks, ctr, conversions, spend, earnings, earnedCpm],
};

/** The name of a column in the URL of analytics, where `columns` has those that are shown. */
export function columnName({ label }: Pick<PerformanceColumn, "label">): string {
  return label.toLowerCase();
}

/** What rows can be sorted by: what they show. The order by a metric of the other side would disclose that. */
export function sortsOf(side: Side): PerformanceSort[] {
  return ["name", ...performanceColumns[side].flatMap(({ sort }) => sort ?? [])];
}

/** The metrics shown as cards and compared with the period before. */
export const keyMetrics: Record<Side, readonly PerformanceColumn[]> = {
  advertiser: [spend, revenue, roas, cpm, impressions, clicks, ctr, conversions],
  publisher: [earnings, spend, earnedCpm, conversionRate, impressions, clicks, ctr, conversions],
};

/** The metric of the charts when none is chosen. */
export const defaultMetric: Record<Side, PerformanceColumn> = { advertiser: spend, publisher: earnings };

export const groupingLabels: Record<Grouping, string> = {
  day: "Day",
  week: "Week",
  month: "Month",
  campaign: "Campaign",
  audience: "Audience",
  channel: "Channel",
  category: "Product category",
  publisher: "Publisher",
  advertiser: "Advertiser",
};
export const groupingPlurals: Record<Grouping, string> = {
  day: "Days",
  week: "Weeks",
  month: "Months",
  campaign: "Campaigns",
  audience: "Audiences",
  channel: "Channels",
  category: "Product categories",
  publisher: "Publishers",
  advertiser: "Advertisers",
};

/** Returns the default sort column and order: time in its order, everything else by the highest spend. */
export function defaultSort(group: Grouping) {
  return isInterval(group)
    ? ({ sort: "name", order: "ascending" } as const)
    : ({ sort: "spend", order: "descending" } as const);
}

/** The label of the name of the other side beside a row's name; null where there is none. */
export function counterpartyLabel(side: Side, group: Grouping): string | null {
  if (side === "publisher") return group === "campaign" ? "Advertiser" : null;
  return group === "audience" ? "Publisher" : null;
}
