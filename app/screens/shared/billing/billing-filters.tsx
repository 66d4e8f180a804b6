import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { type CalendarMonth, formatMonth } from "#app/domain/calendar-month.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { type BillingSearch, billingQuery } from "./billing-search.ts";

/** The filters of a list of money, kept in the address, and the same rows as a file. A choice applies at once where there is scripting. */
export function BillingFilters({
  base,
  search,
  months,
  children,
}: {
  base: PortalBase;
  search: BillingSearch;
  months: readonly CalendarMonth[];
  children: ReactNode;
}) {
  return (
    <FilterForm label="Filter">
      <input type="hidden" name="tab" value={search.tab} />
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
      <Button>Filter</Button>
      <a className="button" href={portalHref(base, `/billing/export.csv${billingQuery(search)}`)} download>
        <Download aria-hidden />
        Export CSV
      </a>
    </FilterForm>
  );
}

/** One of the words, or all. */
export function FilterSelect<Word extends string>({
  name,
  label,
  all,
  words,
  value,
}: {
  name: string;
  label: string;
  all: string;
  words: Readonly<Record<Word, string>>;
  value: Word | undefined;
}) {
  return (
    <select name={name} className="input" aria-label={label} defaultValue={value ?? ""}>
      <option value="">{all}</option>
      {Object.entries<string>(words).map(([word, said]) => (
        <option key={word} value={word}>
          {said}
        </option>
      ))}
    </select>
  );
}
