import type { AccountType } from "../accounts/account.ts";
import { isReversed } from "../analytics/period.ts";
import { invalidInput } from "../errors.ts";
import { normalizeViewQuery } from "../saved-views/saved-view.ts";
import { tooLongQuery } from "../saved-views/view-name.server.ts";
import { parseReportSearch } from "./report-query.ts";

/**
 * Returns a query as a report stores it. Throws `invalid_input` for one that is too long, that has a value which
 * analytics would ignore, or whose range ends before it starts.
 */
export function normalizeReportQuery(side: AccountType, query: string): string {
  const stored = normalizeViewQuery(side, { list: "analytics", query });
  if (stored === undefined) throw invalidInput({ query: [tooLongQuery] });
  const search = parseReportSearch(stored);
  const ignored = [...new URLSearchParams(stored)].flatMap(([name, value]) =>
    value.trim() === "" || Reflect.get(search, name) !== undefined ? [] : name,
  );
  // Without a filter that was misspelled, each email would have more than was asked for.
  if (ignored.length > 0)
    throw invalidInput({ query: [`Analytics has no such value of ${ignored.join(", ")}. Choose another one.`] });
  if (isReversed(search))
    throw invalidInput({ query: ["The date range ends before it starts. Choose another one in analytics."] });
  return stored;
}
