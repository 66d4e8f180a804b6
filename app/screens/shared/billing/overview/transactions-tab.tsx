import type { Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { transactionSorts, transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import type { Page } from "#app/domain/page.ts";
import type { SavedView } from "#app/domain/saved-views/list-saved-views.server.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { transactionColumns } from "#app/screens/shared/billing/transaction-columns.tsx";
import { ViewsMenu } from "#app/screens/shared/views/views-menu.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { BillingFilters, FilterSelect } from "./billing-filters.tsx";
import { type BillingSearch, billingQuery } from "./billing-search.ts";

type Loaded = { search: BillingSearch; months: CalendarMonth[]; page: Page<Transaction>; spend: Cents | null };

/** All transactions of the account; an advertiser's list is its ad spend, so it has a total. */
export function TransactionsTab({
  base,
  views,
  loaded: { search, months, page, spend },
}: {
  base: PortalBase;
  views: readonly SavedView[];
  loaded: Loaded;
}) {
  const pageHref = (cursor: string | null) => (cursor ? billingQuery(search, { cursor }) : undefined);
  if (months.length === 0) return <NoTransactions />;
  return (
    <Card
      title={spend === null ? "Transactions" : "Ad Spend"}
      aside={spend === null ? null : <span className="hint">Total ad spend {formatCents(spend)}</span>}
      flush
    >
      <ListHead
        filters={
          <BillingFilters base={base} search={search} months={months} sorts={transactionSortLabels}>
            <FilterSelect name="type" label="Type" all="All types" labels={transactionTypeLabels} value={search.type} />
          </BillingFilters>
        }
      >
        <ViewsMenu
          base={base}
          list="transactions"
          all="All transactions"
          views={views}
          query={billingQuery(search, { columns: undefined, saved: undefined })}
          saved={search.saved}
        />
      </ListHead>
      {page.rows.length === 0 ? (
        <EmptyState
          icon="search-x"
          title="No transactions found"
          action={<LinkButton to={billingQuery({ tab: search.tab })}>Clear filters</LinkButton>}
        >
          No transactions match the current filter
        </EmptyState>
      ) : (
        <>
          <DataTable
            caption="Transactions"
            columns={transactionColumns(base, spend === null ? "publisher" : "advertiser", {
              sort: transactionSorts.find((known) => known === search.sort) ?? "newest",
              href: (sort) => billingQuery(search, { sort }),
            })}
            rows={page.rows}
          />
          <Pagination
            shown={`Showing ${pluralize(page.rows.length, "transaction")}`}
            previous={pageHref(page.previousCursor)}
            next={pageHref(page.nextCursor)}
          />
        </>
      )}
    </Card>
  );
}

export const transactionSortLabels = { oldest: "Oldest first", amount: "Highest amount", amount_low: "Lowest amount" };

function NoTransactions() {
  return (
    <Card>
      <EmptyState icon="receipt" title="No transactions yet">
        Charges, payments and refunds appear here.
      </EmptyState>
    </Card>
  );
}
