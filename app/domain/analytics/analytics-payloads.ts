import { z } from "zod";
import { type CalendarDate, calendarDateSchema } from "../calendar-date.ts";
import { type Channel, channels } from "../campaigns/campaign.ts";
import { invalidInput } from "../errors.ts";
import type { AudienceId, CampaignId } from "../ids.ts";
import { changedText } from "../text.ts";
import { type AnalyticsFilters, filterId, groupings, performanceSorts } from "./analytics.ts";
import { isReversed, type Period, periodOf, type Range, ranges, reversedRange } from "./period.ts";

const id = z.string().max(200, "Unknown id").optional();
const day = calendarDateSchema.optional().meta({ type: "string", format: "date" });

/** What is asked for in the query of `GET /api/analytics`. Blank is absent; a day may be named without `range=custom`. */
export const analyticsQuerySchema = {
  range: z.enum(ranges).optional().describe("Up to today (UTC), which is counted; 30d unless from or to are given"),
  from: day,
  to: day,
  campaign: id.describe("A campaign's id"),
  audience: id.describe("An audience's id"),
  category: changedText({ max: 200 }).transform((text) => text ?? undefined),
  channel: z.enum(channels).optional(),
  group_by: z.enum(groupings).default("day"),
  sort: z.enum(performanceSorts).optional(),
  order: z.enum(["asc", "desc"]).optional(),
};

/** Throws `invalid_input` at the last day of a range that ends before it begins. */
export function refuseReversedRange(range: { range?: Range; from?: string; to?: string }): void {
  if (isReversed(range)) throw invalidInput({ to: [reversedRange] });
}

type AnalyticsQuery = {
  range?: Range;
  from?: CalendarDate;
  to?: CalendarDate;
  campaign?: string;
  audience?: string;
  category?: string;
  channel?: Channel;
};

/** The period and the filters that a query means. */
export function askedOf(query: AnalyticsQuery, today: CalendarDate): { period: Period; filters: AnalyticsFilters } {
  const { campaign, audience, category, channel } = query;
  return {
    period: periodOf(query, today),
    filters: {
      ...(campaign && { campaign: filterId<CampaignId>(campaign) }),
      ...(audience && { audience: filterId<AudienceId>(audience) }),
      ...(category && { category }),
      ...(channel && { channel }),
    },
  };
}
