import type { ReactNode } from "react";
import { type CalendarMonth, formatMonth } from "#app/domain/calendar-month.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type BillingSearch, billingQuery } from "./billing-search.ts";

/**
 * The filters of a billing list, stored in the URL, and a link that exports the same rows. With scripting, a selection
 * applies at once.
 */
export function BillingFilters({
  base,
  search,
  months,
  sorts,
  children,
}: {
  base: PortalBase;
  search: BillingSearch;
  months: readonly CalendarMonth[];
  /** The orders besides the newest first, which a narrow list has no heads for. */
  sorts: Readonly<Record<string, string>>;
  children: ReactNode;
}) {
  return (
    <FilterForm query={billingQuery(search)} label="Filter">
      <input type="hidden" name="tab" value={search.tab} />
      <ListStateFields state={search} />
      {children}
      <select name="month" className="input" aria-label="Month" defaultValue={search.month ?? ""}>
        <option value="">All months</option>
        {search.month && !months.includes(search.month) ? (
          <option value={search.month}>{formatMonth(search.month)}</option>
        ) : null}
        {months.map((month) => (
          <option key={month} value={month}>
            {formatMonth(month)}
          </option>
        ))}
      </select>
      <FilterSelect name="sort" label="Sort by" all="Newest first" labels={sorts} value={search.sort} />
      <Button>Filter</Button>
      <a className="button" href={portalHref(base, `/billing/export.csv${billingQuery(search)}`)}>
        <Icon name="download" />
        Export CSV
      </a>
    </FilterForm>
  );
}

/** A select with one option per label, and one for all. */
export function FilterSelect<Option extends string>({
  name,
  label,
  all,
  labels,
  value,
}: {
  name: string;
  label: string;
  all: string;
  labels: Readonly<Record<Option, string>>;
  value: Option | undefined;
}) {
  return (
    <select name={name} className="input" aria-label={label} defaultValue={value ?? ""}>
      <option value="">{all}</option>
      {Object.entries<string>(labels).map(([option, optionLabel]) => (
        <option key={option} value={option}>
          {optionLabel}
        </option>
      ))}
    </select>
  );
}
