import { z } from "zod";
import type { AccountType } from "#app/domain/accounts/account.ts";
import {
  analyticsSearchParams,
  foreignMetrics,
  resolveAnalyticsSearch,
} from "#app/domain/analytics/analytics-search.ts";
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

/**
 * Parses the search parameters of the screen's URL and resolves them. Invalid values are ignored, and left out of what
 * the screen links to and saves.
 */
export function parseAnalyticsRequest(request: Request, reader: { side: AccountType; today: CalendarDate }) {
  const search = parseSearchParams(request, searchSchema);
  const asked = resolveAnalyticsSearch(search, reader);
  const absent = Object.fromEntries(foreignMetrics(search, reader.side).map((name) => [name, undefined]));
  return { search: { ...search, ...absent, order: asked.order }, ...asked };
}
