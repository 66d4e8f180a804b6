import type { AccountType } from "../accounts/account.ts";
import type { Channel } from "../campaigns/campaign.ts";
import { type AudienceId, type CampaignId, nilId, parseId } from "../ids.ts";

/** Enumerations and filters of analytics. Pure. */

/** The lengths of the points of a chart and of the rows of a time table. */
export const intervals = ["day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

/** What delivery can be broken down by, alone or two at a time. */
export const dimensions = ["campaign", "audience", "channel", "category", "publisher", "advertiser"] as const;
export type Dimension = (typeof dimensions)[number];

/** What the rows of a table are. */
export const groupings = [...intervals, ...dimensions] as const;
export type Grouping = (typeof groupings)[number];

/** Returns whether the rows of the grouping are days, weeks or months. */
export function isInterval(grouping: Grouping): grouping is Interval {
  return intervals.some((interval) => interval === grouping);
}

/** The dimensions that tell an account something: not its own side, of which it is the only one. */
export const dimensionsOf: Record<AccountType, readonly Dimension[]> = {
  advertiser: ["campaign", "audience", "channel", "category", "publisher"],
  publisher: ["campaign", "audience", "channel", "category", "advertiser"],
};

/** The column that a table is sorted by; `name` is the day where rows are days. */
export const performanceSorts = [
  "name",
  "impressions",
  "clicks",
  "ctr",
  "conversions",
  "spend",
  "revenue",
  "roas",
  "earnings",
] as const;
export type PerformanceSort = (typeof performanceSorts)[number];
export type SortOrder = "ascending" | "descending";

/** Restricts an account's delivery; without filters, all of it is included. */
export type AnalyticsFilters = {
  campaign?: CampaignId;
  audience?: AudienceId;
  /** The main category of a campaign's products (`campaignVersions.productCategory`). */
  category?: string;
  channel?: Channel;
};

/** Parses an id of a filter. Text that is not an id matches nothing, like the id of another account. */
export function parseFilterId<T extends CampaignId | AudienceId>(text: string): T {
  return parseId<T>(text) ?? (nilId as T);
}
