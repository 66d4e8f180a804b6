import { z } from "zod";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { analyticsSearchParams, resolveAnalyticsSearch } from "#app/domain/analytics/analytics-search.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { listStateParams, parseSearchParams } from "#app/web/search-params.server.ts";

const searchSchema = z.object({
  ...analyticsSearchParams,
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .optional()
    .catch(undefined),
  ...listStateParams,
});

/** Parses the search parameters of the screen's URL and resolves them. Invalid values are ignored. */
export function parseAnalyticsRequest(request: Request, reader: { side: AccountType; today: CalendarDate }) {
  const search = parseSearchParams(request, searchSchema);
  const asked = resolveAnalyticsSearch(search, reader);
  return { search: { ...search, sort: asked.sort, order: asked.order }, ...asked };
}
