import { type CampaignStatus, campaignStatuses, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignSort } from "#app/domain/campaigns/list-campaigns.server.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchBox } from "#app/ui/filter-form.tsx";
import type { ListSearch } from "./list-search.ts";

const sortLabels: Record<CampaignSort, string> = {
  newest: "Newest first",
  name: "By name",
  budget: "By budget",
  impressions: "By impressions",
};
const statusOrder: CampaignStatus[] = ["active", "paused", "draft", "completed"];
const statuses = [...statusOrder, ...campaignStatuses.filter((status) => !statusOrder.includes(status))];

/** Search, status and order, kept in the address. A choice applies at once where there is scripting. */
export function ListFilters({ search, count }: { search: ListSearch; count: string }) {
  return (
    <FilterForm>
      <SearchBox label="Search by name" value={search.q} />
      <select name="status" className="input" aria-label="Status" defaultValue={search.status}>
        <option value="all">All statuses</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </select>
      <select name="sort" className="input" aria-label="Order" defaultValue={search.sort}>
        {Object.entries(sortLabels).map(([sort, label]) => (
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
