import { audienceStatuses, audienceStatusLabels, segmentLabels, segments } from "#app/domain/audiences/audience.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchBox } from "#app/ui/filter-form.tsx";
import type { AudienceSearch } from "./audience-search.ts";

/** Search, segment and status, kept in the address. A choice applies at once where there is scripting. */
export function AudienceFilters({ search, count }: { search: AudienceSearch; count: string }) {
  return (
    <FilterForm>
      <SearchBox label="Search by name" value={search.q} />
      <select name="segment" className="input" aria-label="Segment" defaultValue={search.segment}>
        <option value="all">All segments</option>
        {segments.map((segment) => (
          <option key={segment} value={segment}>
            {segmentLabels[segment]}
          </option>
        ))}
      </select>
      <select name="status" className="input" aria-label="Status" defaultValue={search.status}>
        <option value="all">All but archived</option>
        {audienceStatuses.map((status) => (
          <option key={status} value={status}>
            {audienceStatusLabels[status]}
          </option>
        ))}
      </select>
      <Button>Search</Button>
      <span className="count">{count}</span>
    </FilterForm>
  );
}
