import type { CampaignStatus } from "#app/domain/campaigns/campaign.ts";
import type { CampaignSort } from "#app/domain/campaigns/list-campaigns.server.ts";

/** What the list is asked for, as it stands in the address. */
export type ListSearch = { q?: string; status: CampaignStatus | "all"; sort: CampaignSort; cursor?: string };

/** The query of the list with these changes; another search, filter or order begins at its first page. */
export function listQuery(search: ListSearch, changes: Partial<ListSearch>): string {
  const { q, status, sort, cursor } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (status !== "all") query.set("status", status);
  if (sort !== "newest") query.set("sort", sort);
  if (cursor) query.set("cursor", cursor);
  return query.size > 0 ? `?${query}` : "?";
}
