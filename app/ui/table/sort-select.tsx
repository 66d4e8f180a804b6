import { Button } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";

/**
 * The order of a list, chosen from a select: for a list without filters, in a card so narrow that its table has no
 * head.
 */
export type SortSelectProps<Sort extends string> = {
  sort: Sort;
  labels: Readonly<Record<Sort, string>>;
  /** The URL's parameter, and where on the page the list begins. */
  name?: string;
  anchor?: string;
};

export function SortSelect<Sort extends string>({ sort, labels, name = "sort", anchor }: SortSelectProps<Sort>) {
  return (
    <div className="sort-select">
      <FilterForm query={sort} label="Sort" action={anchor && `#${anchor}`}>
        <select name={name} className="input" aria-label="Sort by" defaultValue={sort}>
          {Object.entries<string>(labels).map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
        <Button>Sort</Button>
      </FilterForm>
    </div>
  );
}
