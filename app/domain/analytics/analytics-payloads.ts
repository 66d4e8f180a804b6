import { z } from "zod";
import type { AccountType } from "../accounts/account.ts";
import { type CalendarDate, calendarDateSchema } from "../calendar-date.ts";
import { type Channel, channels } from "../campaigns/campaign.ts";
import { productLimits } from "../catalog/product.ts";
import { invalidInput } from "../errors.ts";
import type { AudienceId, CampaignId } from "../ids.ts";
import { patchText } from "../text.ts";
import {
  type AnalyticsFilters,
  type Dimension,
  dimensions,
  type Grouping,
  groupings,
  isInterval,
  type PerformanceSort,
  parseFilterId,
  performanceSorts,
} from "./analytics.ts";
import { sortsOf } from "./performance-columns.ts";
import {
  type DateRangePreset,
  dateRangePresets,
  futureRange,
  isFuture,
  isReversed,
  isShortened,
  type Period,
  resolvePeriod,
  reversedRange,
  shortenedRange,
} from "./period.ts";

const id = z.string().max(200, "Unknown ID. Choose an entry from the list.").optional();
const day = calendarDateSchema.optional().meta({ type: "string", format: "date" });

/** The query parameters of `GET /api/analytics`. Blank means absent; days may be given without `range=custom`. */
export const analyticsQuerySchema = {
  range: z
    .enum(dateRangePresets)
    .optional()
    .describe("Ends today (UTC), inclusive. Defaults to 30d unless from or to is set"),
  from: day,
  to: day,
  campaign: id.describe("A campaign's id"),
  audience: id.describe("An audience's id"),
  category: patchText({ max: productLimits.category }).transform((text) => text ?? undefined),
  channel: z.enum(channels).optional(),
  group_by: z
    .enum(groupings)
    .default("day")
    .describe("Weeks begin on Monday. A week or month is the sum of its days in the period"),
  split_by: z
    .enum(dimensions)
    .optional()
    .describe("A second dimension: each row is a pair. The highest values of each are listed, the rest is summed"),
  sort: z
    .enum(performanceSorts)
    .optional()
    .describe("A metric that the rows have: `revenue` and `roas` for advertisers only, `earnings` for publishers only"),
  order: z.enum(["asc", "desc"]).optional(),
};

/**
 * Throws `invalid_input` for a range that ends before it starts, that begins after today, of which there are no
 * figures, or that begins more than two years before its end.
 */
export function rejectWrongRange(
  query: { range?: DateRangePreset; from?: CalendarDate; to?: CalendarDate },
  today: CalendarDate,
): void {
  if (isReversed(query)) throw invalidInput({ to: [reversedRange] });
  if (isFuture(query, today)) throw invalidInput({ from: [futureRange] });
  if (isShortened(query, today)) throw invalidInput({ from: [shortenedRange] });
}

/** Throws `invalid_input` for a sort by a metric that the account does not see. */
export function rejectForeignSort(side: AccountType, sort: PerformanceSort | undefined): void {
  if (sort && !sortsOf(side).includes(sort)) throw invalidInput({ sort: ["Choose a metric that the rows have"] });
}

/** Returns the two dimensions of a breakdown. Throws `invalid_input` for a dimension by itself or by time. */
export function requireBreakdown(group: Grouping, split: Dimension): { group: Dimension; split: Dimension } {
  if (isInterval(group) || group === split)
    throw invalidInput({ split_by: ["Choose another dimension than group_by, which must not be a time"] });
  return { group, split };
}

type AnalyticsQuery = {
  range?: DateRangePreset;
  from?: CalendarDate;
  to?: CalendarDate;
  campaign?: string;
  audience?: string;
  category?: string;
  channel?: Channel;
};

/** Converts a query to a period and filters. */
export function parseAnalyticsQuery(
  query: AnalyticsQuery,
  today: CalendarDate,
): { period: Period; filters: AnalyticsFilters } {
  const { campaign, audience, category, channel } = query;
  return {
    period: resolvePeriod(query, today),
    filters: {
      ...(campaign && { campaign: parseFilterId<CampaignId>(campaign) }),
      ...(audience && { audience: parseFilterId<AudienceId>(audience) }),
      ...(category && { category }),
      ...(channel && { channel }),
    },
  };
}
