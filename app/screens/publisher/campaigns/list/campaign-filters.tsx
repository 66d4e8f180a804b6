import { lineItemSortOptions } from "#app/screens/publisher/campaigns/campaign-columns.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FilterForm, SearchInput } from "#app/ui/filter-form.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type CampaignSearch, campaignQuery } from "./campaign-search.ts";

/** Search and sort order, stored in the URL. With scripting, a selection applies at once. */
export function CampaignFilters({ search, count }: { search: CampaignSearch; count: string }) {
  return (
    <FilterForm query={campaignQuery(search)}>
      <input type="hidden" name="filter" value={search.filter} />
      <ListStateFields state={search} />
      <SearchInput label="Search by name" value={search.q} />
      <select name="sort" className="input" aria-label="Sort by" defaultValue={search.sort}>
        {lineItemSortOptions.map(({ sort, label }) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
      <Button>Search</Button>
      {search.q ? (
        <LinkButton variant="ghost" to={campaignQuery(search, { q: undefined })}>
          Clear
        </LinkButton>
      ) : (
        <span className="count">{count}</span>
      )}
    </FilterForm>
  );
}
