import type { TenantActor } from "../context.ts";
import type { Grouping, PerformanceSort } from "./analytics.ts";
import type { Figures } from "./figures.ts";

/** A figure of the performance table: money in cents, percent in percent, times a ratio; null where there is none. */
export type PerformanceColumn = {
  label: string;
  kind: "money" | "count" | "percent" | "times";
  of: (figures: Figures) => number | null;
  sort?: PerformanceSort;
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
const ctr = { label: "CTR", kind: "percent", sort: "ctr", of: (row) => row.ctr } as const satisfies PerformanceColumn;
const conversions = {
  label: "Conversions",
  kind: "count",
  sort: "conversions",
  of: (row) => row.conversions,
} as const satisfies PerformanceColumn;
const conversionRate = {
  label: "Conversion rate",
  kind: "percent",
  of: (row) => row.conversionRate,
} as const satisfies PerformanceColumn;
const spend = {
  label: "Spend",
  kind: "money",
  sort: "spend",
  of: (row) => row.spendCents,
} as const satisfies PerformanceColumn;
const revenue = {
  label: "Revenue",
  kind: "money",
  sort: "revenue",
  of: (row) => row.revenueCents,
} as const satisfies PerformanceColumn;
const roas = { label: "ROAS", kind: "times", sort: "roas", of: (row) => row.roas } as const satisfies PerformanceColumn;
const cpm = { label: "CPM", kind: "money", of: (row) => row.cpmCents } as const satisfies PerformanceColumn;
const earnings = {
  label: "Earnings",
  kind: "money",
  sort: "earnings",
  of: (row) => row.earnedCents,
} as const satisfies PerformanceColumn;
const earnedCpm = {
  label: "Earned CPM",
  kind: "money",
  of: (row) => row.earnedCpmCents,
} as const satisfies PerformanceColumn;

type Side = TenantActor["kind"];

/** The table's figures, on screen and in the files. What campaigns bring their advertiser is not the publisher's to see. */
export const performanceColumns: Record<Side, readonly PerformanceColumn[]> = {
  advertiser: [impressions, clicks, ctr, conversions, spend, revenue, roas],
  publisher: [impressions, clicks, ctr, conversions, spend, earnings, earnedCpm],
};

/** The figures that are shown as cards, compared with the period before. */
export const keyFigures: Record<Side, readonly PerformanceColumn[]> = {
  advertiser: [spend, revenue, roas, cpm, impressions, clicks, ctr, conversions],
  publisher: [earnings, spend, earnedCpm, conversionRate, impressions, clicks, ctr, conversions],
};

export const groupingLabels: Record<Grouping, string> = {
  day: "Day",
  campaign: "Campaign",
  audience: "Audience",
  channel: "Channel",
  category: "Product category",
};
export const groupingPlurals: Record<Grouping, string> = {
  day: "Days",
  campaign: "Campaigns",
  audience: "Audiences",
  channel: "Channels",
  category: "Product categories",
};

/** What stands beside a row's name, where the other side has a name. */
export function noteLabel(side: Side, group: Grouping): string | null {
  if (side === "publisher") return group === "campaign" ? "Advertiser" : null;
  return group === "audience" ? "Publisher" : null;
}
