import { HandCoins, SearchX } from "lucide-react";
import type { RevenueShare } from "#app/domain/billing/list-revenue-shares.server.ts";
import { type RevenueShareStatus, revenueShareStatusLabels } from "#app/domain/billing/revenue-share.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import { type Cents, formatCents, toCents } from "#app/domain/money.ts";
import type { Page } from "#app/domain/page.ts";
import type { PortalBase } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { type Column, DataTable, Pagination } from "#app/ui/table.tsx";
import { BillingFilters, FilterSelect } from "./billing-filters.tsx";
import { type BillingSearch, billingQuery } from "./billing-search.ts";
import { EarningsTiles } from "./earnings-tiles.tsx";
import { MoneyStatus } from "./money-status.tsx";

type Loaded = {
  search: BillingSearch;
  months: CalendarMonth[];
  page: Page<RevenueShare>;
  earnings: Record<RevenueShareStatus, Cents>;
};

/** The publisher's revenue shares: on each line spend − fee = earning. */
export function EarningsTab({ base, loaded }: { base: PortalBase; loaded: Loaded }) {
  const { search, months, page, earnings } = loaded;
  const pageHref = (cursor: string | null) => (cursor ? billingQuery(search, { cursor }) : undefined);
  if (months.length === 0) {
    return (
      <Card>
        <EmptyState icon={HandCoins} title="No earnings yet">
          What campaigns spend on your audiences is settled every day, and your share of it shows up here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="stack">
      <EarningsTiles earnings={earnings} />
      <Card title="Earnings" flush>
        <BillingFilters key={billingQuery(search)} base={base} search={search} months={months}>
          <FilterSelect
            name="status"
            label="Status"
            all="All statuses"
            words={revenueShareStatusLabels}
            value={search.status}
          />
        </BillingFilters>
        {page.rows.length === 0 ? (
          <EmptyState
            icon={SearchX}
            title="No earnings found"
            action={<LinkButton to={billingQuery({ tab: search.tab })}>Clear filters</LinkButton>}
          >
            No earnings match the current filter
          </EmptyState>
        ) : (
          <DataTable caption="Earnings" columns={columns} rows={page.rows} />
        )}
        <Pagination
          shown={`Showing ${formatNumberOf(page.rows.length, "line")}`}
          previous={pageHref(page.previousCursor)}
          next={pageHref(page.nextCursor)}
        />
      </Card>
    </div>
  );
}

const columns: Column<RevenueShare>[] = [
  { head: "Campaign", wide: true, cell: ({ campaignName }) => <strong>{campaignName}</strong> },
  {
    head: "Date",
    cell: ({ createdAt }) => (
      <time className="whitespace-nowrap" dateTime={createdAt.toISOString()}>
        {formatDate(createdAt)}
      </time>
    ),
  },
  { head: "Advertiser spend", right: true, cell: ({ spend }) => formatCents(spend) },
  {
    head: "Platform fee",
    right: true,
    cell: ({ fee }) => `${fee < 0 ? "+" : "−"} ${formatCents(toCents(Math.abs(fee)))}`,
  },
  { head: "Your earning", right: true, cell: ({ earnings }) => <strong>= {formatCents(earnings)}</strong> },
  { head: "Status", cell: ({ status }) => <MoneyStatus status={status} /> },
];
