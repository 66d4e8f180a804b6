import type { ReactNode } from "react";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

/** A filter form that edits some parameters of the URL and passes on the others. */
export function AnalyticsForm({
  search,
  fields,
  label,
  children,
}: {
  search: AnalyticsSearch;
  /** The parameters that the form edits. */
  fields: readonly (keyof AnalyticsSearch)[];
  label: string;
  children: ReactNode;
}) {
  const { columns, saved, page: _, ...others } = search;
  return (
    <FilterForm query={analyticsQuery(search)} label={label} className="analytics-filters" incompleteOption="custom">
      <ListStateFields state={{ columns, saved }} />
      {Object.entries(others).map(([name, value]) =>
        value && !fields.some((field) => field === name) ? (
          <input key={name} type="hidden" name={name} value={value} />
        ) : null,
      )}
      {children}
    </FilterForm>
  );
}
