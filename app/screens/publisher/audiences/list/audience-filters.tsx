import { audienceStatuses, audienceStatusLabels, segmentLabels, segments } from "#app/domain/audiences/audience.ts";
import type { AudienceSort } from "#app/domain/audiences/list-own-audiences.server.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchInput } from "#app/ui/filter-form.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type AudienceSearch, audienceQuery } from "./audience-search.ts";

export const audienceSortLabels: Record<AudienceSort, string> = {
  name: "Name",
  size: "Largest first",
  cpm: "Highest CPM",
  used: "Most used",
  refreshed: "Latest refresh",
};

/** Search, segment, status and sort order, stored in the URL. With scripting, a selection applies at once. */
export function AudienceFilters({ search, count }: { search: AudienceSearch; count: string }) {
  return (
    <FilterForm query={audienceQuery(search, {})}>
      <ListStateFields state={search} />
      <SearchInput label="Search by name" value={search.q} />
      <select name="segment" className="input" aria-label="Segment" defaultValue={search.segment}>
        <option value="all">All segments</option>
        {segments.map((segment) => (
          <option key={segment} value={segment}>
            {segmentLabels[segment]}
          </option>
        ))}
      </select>
      <select name="status" className="input" aria-label="Status" defaultValue={search.status}>
        <option value="all">All except archived</option>
        {audienceStatuses.map((status) => (
          <option key={status} value={status}>
            {audienceStatusLabels[status]}
          </option>
        ))}
      </select>
      <select name="sort" className="input" aria-label="Sort by" defaultValue={search.sort}>
        {Object.entries(audienceSortLabels).map(([sort, label]) => (
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
