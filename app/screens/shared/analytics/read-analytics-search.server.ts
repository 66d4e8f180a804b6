import { z } from "zod";
import { accountTypes } from "#app/domain/accounts/account.ts";
import { groupings, performanceSorts } from "#app/domain/analytics/analytics.ts";
import { askedOf } from "#app/domain/analytics/analytics-payloads.ts";
import { ranges } from "#app/domain/analytics/period.ts";
import { type CalendarDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { channels } from "#app/domain/campaigns/campaign.ts";
import { queryParam, readSearch } from "#app/web/search-params.server.ts";

const day = z
  .string()
  .refine((text) => parseCalendarDate(text) !== undefined)
  .optional()
  .catch(undefined);

const searchSchema = z.object({
  view: z.enum(accountTypes).optional().catch(undefined),
  range: z.enum(ranges).optional().catch(undefined),
  from: day,
  to: day,
  campaign: queryParam,
  audience: queryParam,
  category: queryParam,
  channel: z.enum(channels).optional().catch(undefined),
  metric: z.string().max(40).optional().catch(undefined),
  group: z.enum(groupings).optional().catch(undefined),
  sort: z.enum(performanceSorts).optional().catch(undefined),
  order: z.enum(["ascending", "descending"]).optional().catch(undefined),
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .optional()
    .catch(undefined),
});

/** What the address asks for, and the period and filters that this means. No address fails. */
export function readAnalyticsSearch(request: Request, today: CalendarDate) {
  const search = readSearch(request, searchSchema);
  const dayOf = (text: string | undefined) => (text === undefined ? undefined : parseCalendarDate(text));
  return { search, ...askedOf({ ...search, from: dayOf(search.from), to: dayOf(search.to) }, today) };
}
