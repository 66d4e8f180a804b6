import type { Grouping } from "#app/domain/analytics/analytics.ts";
import type { AnalyticsSearch as DomainSearch } from "#app/domain/analytics/analytics-search.ts";
import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/** The search parameters of the screen; an absent one means the default. */
export type AnalyticsSearch = DomainSearch & { page?: string } & ListState;

/**
 * Returns the screen's query string with these changes. Any change resets the table to its first page, unless it sets
 * the page itself.
 */
export function analyticsQuery(search: AnalyticsSearch, changes: Partial<AnalyticsSearch> = {}): string {
  const query = new URLSearchParams();
  const { columns, saved, ...filters } = { ...search, page: undefined, ...changes };
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  setListState(query, { columns, saved });
  return `?${query}`;
}

/** Returns the query string of another grouping, which has its own default order. */
export function groupingQuery(search: AnalyticsSearch, group: Grouping): string {
  return analyticsQuery(search, { group, split: undefined, sort: undefined, order: undefined });
}

/** The change that clears all filters. */
export const noFilters = { campaign: undefined, audience: undefined, category: undefined, channel: undefined };
