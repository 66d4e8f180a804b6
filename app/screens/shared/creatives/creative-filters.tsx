import { creativeTypeLabels, creativeTypes } from "#app/domain/creatives/creative.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchBox } from "#app/ui/filter-form.tsx";
import type { CreativeSearch } from "./creative-search.ts";

/** Search and kind of file, kept in the address. A choice applies at once where there is scripting. */
export function CreativeFilters({ search, count }: { search: CreativeSearch; count: string }) {
  return (
    <FilterForm>
      <SearchBox label="Search by name" value={search.q} />
      <select name="type" className="input" aria-label="Kind of file" defaultValue={search.type ?? ""}>
        <option value="">All kinds</option>
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
