import { campaignStatuses } from "#app/domain/campaigns/campaign.ts";
import type { CampaignSort } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/**
 * The list's filters: the stored statuses, what publishers rejected whole, in part or as a change, and what is
 * archived.
 */
export const statusFilters = ["all", ...campaignStatuses, "rejected", "archived"] as const;
export type StatusFilter = (typeof statusFilters)[number];

/** The list's search parameters. */
export type CampaignSearch = { q?: string; status: StatusFilter; sort: CampaignSort; cursor?: string } & ListState;

/** Returns the list's query string with these changes; a new search, filter or sort order starts at the first page. */
export function campaignQuery(search: CampaignSearch, changes: Partial<CampaignSearch>): string {
  const { q, status, sort, cursor, ...state } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (status !== "all") query.set("status", status);
  if (sort !== "newest") query.set("sort", sort);
  setListState(query, state);
  if (cursor) query.set("cursor", cursor);
  return query.size > 0 ? `?${query}` : "?";
}
