import type { AccountType } from "../accounts/account.ts";
import { isReversed } from "../analytics/period.ts";
import { invalidInput } from "../errors.ts";
import { normalizeViewQuery } from "../saved-views/saved-view.ts";
import { tooLongQuery } from "../saved-views/view-name.server.ts";
import { parseReportSearch } from "./report-query.ts";

/**
 * Returns a query as a report stores it. Throws `invalid_input` for one that is too long, or whose range ends before it
 * starts.
 */
export function normalizeReportQuery(side: AccountType, query: string): string {
  const stored = normalizeViewQuery(side, { list: "analytics", query });
  if (stored === undefined) throw invalidInput({ query: [tooLongQuery] });
  if (isReversed(parseReportSearch(stored)))
    throw invalidInput({ query: ["The date range ends before it starts. Choose another one in analytics."] });
  return stored;
}
