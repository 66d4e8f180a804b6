import { creativeTypeLabels, creativeTypes } from "#app/domain/creatives/creative.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchInput } from "#app/ui/filter-form.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type CreativeSearch, creativeQuery } from "./creative-search.ts";

/** Search and file type, stored in the URL. With scripting, a selection applies at once. */
export function CreativeFilters({ search, count }: { search: CreativeSearch; count: string }) {
  return (
    <FilterForm query={creativeQuery(search)}>
      <ListStateFields state={{ saved: search.saved }} />
      <SearchInput label="Search by name" value={search.q} />
      <select name="type" className="input" aria-label="File type" defaultValue={search.type ?? ""}>
        <option value="">All types</option>
        {creativeTypes.map((type) => (
          <option key={type} value={type}>
            {creativeTypeLabels[type]}
          </option>
        ))}
      </select>
      <Button>Search</Button>
      <span className="count">{count}</span>
    </FilterForm>
  );
}
