import type { LineItemSort, managementFilters } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/** The list's tabs. */
export const campaignTabs = [
  { value: "all", label: "All Campaigns" },
  { value: "active", label: "Active" },
  { value: "managed", label: "Managed by Me" },
  { value: "pending", label: "Pending Approval" },
  { value: "archived", label: "Archived" },
] as const;

/** The list's search parameters. */
export type CampaignSearch = {
  filter: (typeof managementFilters)[number] | "archived";
  q?: string;
  sort: LineItemSort;
  cursor?: string;
} & ListState;

/** Returns the list's query string with these changes; a new search, filter or sort order starts at the first page. */
export function campaignQuery(search: CampaignSearch, changes: Partial<CampaignSearch> = {}): string {
  const { filter, q, sort, cursor, ...state } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams({ filter });
  if (q) query.set("q", q);
  if (sort !== "newest") query.set("sort", sort);
  setListState(query, state);
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
