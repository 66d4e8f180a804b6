import { type CampaignStatus, campaignStatuses, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignSort } from "#app/domain/campaigns/list-campaigns.server.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchInput } from "#app/ui/filter-form.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type CampaignSearch, campaignQuery } from "./campaign-search.ts";

export const campaignSortLabels: Record<CampaignSort, string> = {
  newest: "Newest first",
  name: "Name",
  budget: "Highest budget",
  spent: "Highest spend",
  impressions: "Most impressions",
  clicks: "Most clicks",
  ctr: "Highest CTR",
  conversions: "Most conversions",
  roas: "Highest ROAS",
  start: "Latest start",
};
const statusOrder: CampaignStatus[] = ["active", "paused", "draft", "completed"];
const statuses = [...statusOrder, ...campaignStatuses.filter((status) => !statusOrder.includes(status))];

/** Search, status and sort order, stored in the URL. With scripting, a selection applies at once. */
export function CampaignFilters({ search, count }: { search: CampaignSearch; count: string }) {
  return (
    <FilterForm query={campaignQuery(search, {})}>
      <ListStateFields state={search} />
      <SearchInput label="Search by name" value={search.q} />
      <select name="status" className="input" aria-label="Status" defaultValue={search.status}>
        <option value="all">All statuses</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
        <option value="rejected">{statusLabels.rejected}</option>
        <option value="archived">Archived</option>
      </select>
      <select name="sort" className="input" aria-label="Sort by" defaultValue={search.sort}>
        {Object.entries(campaignSortLabels).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
      <Button>Search</Button>
      <span className="count">{count}</span>
    </FilterForm>
  );
}
