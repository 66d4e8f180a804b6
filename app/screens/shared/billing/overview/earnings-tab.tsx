import { describeAdjustment } from "#app/domain/billing/adjustment.ts";
import type { Earnings } from "#app/domain/billing/get-earnings.server.ts";
import type { RevenueShare } from "#app/domain/billing/list-revenue-shares.server.ts";
import {
  type RevenueShareSort,
  revenueShareSorts,
  revenueShareStatusLabels,
} from "#app/domain/billing/revenue-share.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import { asCents, formatCents, formatSignedCents } from "#app/domain/money.ts";
import type { Page } from "#app/domain/page.ts";
import type { SavedView } from "#app/domain/saved-views/list-saved-views.server.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import { EarningsTiles } from "#app/screens/shared/billing/earnings-tiles.tsx";
import { ListTools } from "#app/screens/shared/views/list-tools.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import type { Column } from "#app/ui/table/column.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type ListSort, sortLink } from "#app/ui/table/sort-link.ts";
import { BillingFilters, FilterSelect } from "./billing-filters.tsx";
import { type BillingSearch, billingQuery } from "./billing-search.ts";

type Loaded = {
  search: BillingSearch;
  months: CalendarMonth[];
  page: Page<RevenueShare>;
  earnings: Earnings;
};

/** The publisher's revenue shares: on each line, spend − fee = earning. */
export function EarningsTab({
  base,
  views,
  loaded,
}: {
  base: PortalBase;
  views: readonly SavedView[];
  loaded: Loaded;
}) {
  const { search, months, page, earnings } = loaded;
  const { columns, choices, chosen } = chooseColumns(earningsColumns(search), search.columns);
  const pageHref = (cursor: string | null) => (cursor ? billingQuery(search, { cursor }) : undefined);
  if (months.length === 0) {
    return (
      <Card>
        <EmptyState icon="hand-coins" title="No earnings yet">
          Spend on your audiences is settled daily. Your share appears here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="stack">
      <EarningsTiles earnings={earnings} />
      <Card title="Earnings" flush>
        <ListHead
          filters={
            <BillingFilters base={base} search={search} months={months} sorts={earningsSortLabels}>
              <FilterSelect
                name="status"
                label="Status"
                all="All statuses"
                labels={revenueShareStatusLabels}
                value={search.status}
              />
            </BillingFilters>
          }
        >
          <ListTools
            base={base}
            list="earnings"
            all="All earnings"
            views={views}
            choices={choices}
            chosen={chosen}
            queryOf={(changes) => billingQuery(search, changes)}
            saved={search.saved}
          />
        </ListHead>
        {page.rows.length === 0 ? (
          <EmptyState
            icon="search-x"
            title="No earnings found"
            action={<LinkButton to={billingQuery({ tab: search.tab })}>Clear filters</LinkButton>}
          >
            No earnings match the current filter
          </EmptyState>
        ) : (
          <>
            <DataTable caption="Earnings" columns={columns} rows={page.rows} />
            <Pagination
              shown={`Showing ${pluralize(page.rows.length, "entry", "entries")}`}
              previous={pageHref(page.previousCursor)}
              next={pageHref(page.nextCursor)}
            />
          </>
        )}
      </Card>
    </div>
  );
}

export const earningsSortLabels = {
  oldest: "Oldest first",
  spend: "Highest spend",
  fee: "Highest fee",
  earnings: "Highest earnings",
};

/** The columns of the earnings. */
export function earningsColumns(search: BillingSearch): Column<RevenueShare>[] {
  const list: ListSort<RevenueShareSort> = {
    sort: revenueShareSorts.find((known) => known === search.sort) ?? "newest",
    href: (sort) => billingQuery(search, { sort }),
  };
  return [
    {
      header: "Campaign",
      place: "title",
      cell: ({ campaignName, adjustsMonth, createdAt }) => (
        <RowTitle
          name={campaignName}
          detail={adjustsMonth ? describeAdjustment(adjustsMonth) : undefined}
          narrowDetail={formatDate(createdAt)}
        />
      ),
    },
    {
      header: "Date",
      name: "date",
      sort: sortLink(list, { descending: "newest", ascending: "oldest" }),
      priority: 1,
      cell: ({ createdAt }) => (
        <time className="whitespace-nowrap" dateTime={createdAt.toISOString()}>
          {formatDate(createdAt)}
        </time>
      ),
    },
    {
      header: "Advertiser spend",
      name: "advertiser_spend",
      sort: sortLink(list, { descending: "spend" }),
      align: "right",
      priority: 3,
      width: 140,
      cell: ({ spend }) => formatCents(spend),
    },
    {
      header: "Platform fee",
      name: "platform_fee",
      sort: sortLink(list, { descending: "fee" }),
      priority: 2,
      align: "right",
      cell: ({ fee }) => formatSignedCents(asCents(0 - fee)),
    },
    {
      header: "Your earnings",
      name: "your_earnings",
      sort: sortLink(list, { descending: "earnings" }),
      place: "amount",
      align: "right",
      width: 130,
      cell: ({ earnings }) => <strong>{formatSignedCents(earnings)}</strong>,
    },
    {
      header: "Status",
      name: "status",
      place: "status",
      cell: ({ status }) => <BillingStatusBadge status={status} label={revenueShareStatusLabels[status]} />,
    },
  ];
}
