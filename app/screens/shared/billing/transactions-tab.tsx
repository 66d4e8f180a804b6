import { Receipt, SearchX } from "lucide-react";
import type { Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import type { Page } from "#app/domain/page.ts";
import type { PortalBase } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { BillingFilters, FilterSelect } from "./billing-filters.tsx";
import { type BillingSearch, billingQuery } from "./billing-search.ts";
import { transactionColumns } from "./transaction-columns.tsx";

type Loaded = { search: BillingSearch; months: CalendarMonth[]; page: Page<Transaction>; spend: Cents | null };

/** All of the account's transactions; of an advertiser its ad spend, so with the total of it. */
export function TransactionsTab({
  base,
  loaded: { search, months, page, spend },
}: {
  base: PortalBase;
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
      <BillingFilters key={billingQuery(search)} base={base} search={search} months={months}>
        <FilterSelect name="type" label="Type" all="All types" words={transactionTypeLabels} value={search.type} />
      </BillingFilters>
      {page.rows.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No transactions found"
          action={<LinkButton to={billingQuery({ tab: search.tab })}>Clear filters</LinkButton>}
        >
          No transactions match the current filter
        </EmptyState>
      ) : (
        <DataTable caption="Transactions" columns={transactionColumns} rows={page.rows} />
      )}
      <Pagination
        shown={`Showing ${formatNumberOf(page.rows.length, "transaction")}`}
        previous={pageHref(page.previousCursor)}
        next={pageHref(page.nextCursor)}
      />
    </Card>
  );
}

function NoTransactions() {
  return (
    <Card>
      <EmptyState icon={Receipt} title="No transactions yet">
        What happens to your money shows up here, line by line.
      </EmptyState>
    </Card>
  );
}
