import type { Channel } from "../campaigns/campaign.ts";
import { type AudienceId, type CampaignId, parseId } from "../ids.ts";

/** The vocabulary of analytics. Pure. */

/** By what delivery is put together. */
export const groupings = ["day", "campaign", "audience", "channel", "category"] as const;
export type Grouping = (typeof groupings)[number];

/** By what the rows of a table are sorted; `name` is the day where rows are days. */
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

/** Which part of an account's delivery one looks at; all of it without any. */
export type AnalyticsFilters = {
  campaign?: CampaignId;
  audience?: AudienceId;
  /** What most of a campaign's products are (`campaignVersions.productCategory`). */
  category?: string;
  channel?: Channel;
};

/** An id in a filter. A text that is none finds nothing, as one that belongs to somebody else. */
export function filterId<T extends CampaignId | AudienceId>(text: string): T {
  return parseId<T>(text) ?? ("00000000-0000-0000-0000-000000000000" as T);
}
