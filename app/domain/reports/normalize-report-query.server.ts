import { foreignDimensions, foreignMetrics } from "../analytics/analytics-search.ts";
import { columnName, performanceColumns } from "../analytics/performance-columns.ts";
import { isFuture, isReversed, isShortened, maxPeriodDays } from "../analytics/period.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { normalizeViewQuery, savedViewParameters } from "../saved-views/saved-view.ts";
import { tooLongQuery } from "../saved-views/view-name.server.ts";
import { parseReportSearch } from "./report-query.ts";

/** What the URL of the page has beside the view: the page of its table, and the report that is open. */
const parametersOfPage = ["page", "saved"];

/**
 * Returns a query as a report stores it. Throws `invalid_input` for one that is too long, that has a parameter or a
 * value which analytics would ignore, such as the first of two channels, or whose range analytics rejects.
 */
export function normalizeReportQuery({ actor, clock }: Ctx<TenantActor>, query: string): string {
  const stored = normalizeViewQuery(actor.kind, { list: "analytics", query });
  if (stored === undefined) throw invalidInput({ query: [tooLongQuery] });
  const search = parseReportSearch(stored);
  const today = calendarDateOf(clock());
  const given = [...new URLSearchParams(query).keys()];
  const known: readonly string[] = [...(savedViewParameters[actor.kind].analytics ?? []), ...parametersOfPage];
  const unknown = given.filter((name) => !known.includes(name));
  // The checkboxes of columns have one name.
  const single = known.filter((name) => name !== "columns");
  const repeated = given.filter((name, at) => single.includes(name) && given.indexOf(name) !== at);
  const foreign: string[] = [
    ...foreignMetrics(search, actor.kind),
    ...foreignDimensions(search, { side: actor.kind, today }),
  ];
  const columns = performanceColumns[actor.kind].map(columnName);
  // The columns belong to the table, so the search of the figures lacks them.
  const isKnown = (name: string, value: string) =>
    name === "columns"
      ? value.split(",").every((column) => columns.includes(column))
      : Reflect.get(search, name) !== undefined && !foreign.includes(name);
  const ignored = [...new URLSearchParams(stored)].flatMap(([name, value]) =>
    value.trim() === "" || isKnown(name, value) ? [] : name,
  );
  // Without a filter that was misspelled, each email would have more than was asked for.
  const problems = [
    ...(unknown.length > 0 ? [`Analytics has no parameter ${nameSome(unknown)}. Check how it is spelled.`] : []),
    ...(repeated.length > 0 ? [`The query has ${nameSome(repeated)} more than once. Keep one of each.`] : []),
    ...(ignored.length > 0 ? [`Analytics has no such value of ${nameSome(ignored)}. Choose another one.`] : []),
  ];
  if (problems.length > 0) throw invalidInput({ query: problems });
  if (isReversed(search))
    throw invalidInput({ query: ["The date range ends before it starts. Choose another one in analytics."] });
  if (isFuture(search, today))
    throw invalidInput({ query: ["The date range begins after today (UTC). Choose another one in analytics."] });
  if (isShortened(search, today))
    throw invalidInput({
      query: [`The date range is longer than ${maxPeriodDays} days, which are two years. Choose a shorter one.`],
    });
  return stored;
}

/** Names the first few parameters; a query may have thousands of them, of any length. */
function nameSome(names: readonly string[]): string {
  const some = [...new Set(names)].slice(0, 5);
  return some.map((name) => [...name].slice(0, 40).join("")).join(", ");
}
