import type { AccountType } from "#app/domain/accounts/account.ts";
import {
  type Dimension,
  dimensionsOf,
  type Grouping,
  type Interval,
  isInterval,
} from "#app/domain/analytics/analytics.ts";
import type { OwnMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import {
  columnName,
  defaultSort,
  groupingLabels,
  groupingPlurals,
  performanceColumns,
} from "#app/domain/analytics/performance-columns.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { IconLink } from "#app/ui/button.tsx";
import { formatMetric } from "#app/ui/chart/metric-format.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Card, EmptyState, Tabs } from "#app/ui/page-header.tsx";
import { chooseColumns, isColumnShown } from "#app/ui/table/choose-columns.ts";
import type { Column } from "#app/ui/table/column.ts";
import { ColumnsMenu } from "#app/ui/table/columns-menu.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type AnalyticsSearch, analyticsQuery, groupingQuery } from "./analytics-search.ts";
import { describeBreakdown } from "./describe-breakdown.ts";
import type { AnalyticsTable, TableRow } from "./load-analytics.server.ts";
import { SplitMenu } from "./split-menu.tsx";

/**
 * The table of campaigns, audiences, channels, categories, the other side or time, or of two of them as groups with
 * subtotals: sortable by column, with totals last.
 */
export function PerformanceTable({
  base,
  side,
  search,
  table,
  totals,
  interval,
}: {
  base: PortalBase;
  side: AccountType;
  search: AnalyticsSearch;
  table: AnalyticsTable;
  totals: OwnMetrics;
  /** The chart's interval, which the tab of time has as well. */
  interval: Interval;
}) {
  const { group, split, page, pages, from, rows, count } = table;
  const caption = `Performance by ${[group, split].flatMap((one) => (one ? groupingLabels[one].toLowerCase() : [])).join(" and ")}`;
  const { columns, choices } = chooseColumns(performanceTableColumns({ side, search, group, split }), search.columns);
  const pageHref = (to: number) => (to < 1 || to > pages ? undefined : analyticsQuery(search, { page: String(to) }));
  return (
    <div>
      <Tabs
        label="Performance by"
        tabs={[...dimensionsOf[side], isInterval(group) ? group : interval].map((one) => ({
          to: groupingQuery(search, one),
          label: groupingPlurals[one],
          current: one === group,
        }))}
      />
      <Card
        title={caption}
        aside={
          <div className="list-tools">
            {isInterval(group) ? null : <SplitMenu side={side} search={search} group={group} split={split} />}
            <ColumnsMenu choices={choices} query={analyticsQuery(search, { columns: undefined })} />
          </div>
        }
        flush
      >
        {table.tooMuch ? (
          <EmptyState title="Too much delivery for this table">{table.tooMuch}</EmptyState>
        ) : rows.length === 0 ? (
          <EmptyState title="Nothing delivered in this period">Only the previous period has results.</EmptyState>
        ) : (
          <DataTable
            caption={caption}
            columns={columns}
            rows={rows}
            isSubtotal={({ hasParts }) => hasParts}
            totals={{ ...totals, ...totalRow }}
            actions={pageOf(base, { side, group })}
            hasOneAction
            actionsWidth={62}
          />
        )}
        <Pagination
          shown={
            split
              ? describeBreakdown({ group, split, count, sort: search.sort })
              : count > rows.length
                ? `${formatCount(from)}–${formatCount(from + rows.length - 1)} of ${formatCount(count)}`
                : pluralize(count, "row")
          }
          previous={pageHref(page - 1)}
          next={pageHref(page + 1)}
        />
      </Card>
    </div>
  );
}

const totalRow = {
  id: "total",
  name: "Total",
  counterparty: null,
  key: null,
  isOthers: false,
  parent: null,
  hasParts: false,
};

/** Returns the query that filters by a row; undefined where rows are not filters. */
function filterQuery(search: AnalyticsSearch, { group, row }: { group: Grouping | undefined; row: TableRow }) {
  if (!row.key || !group || isInterval(group) || group === "publisher" || group === "advertiser") return undefined;
  return analyticsQuery(search, { [group]: row.key });
}

/** Returns the path of the page of a row's object, if it has one. */
function pageOf(base: PortalBase, { side, group }: { side: AccountType; group: Grouping }) {
  if (group !== "campaign" && !(group === "audience" && side === "publisher")) return undefined;
  return ({ key, name, parent }: TableRow) =>
    key && parent === null ? (
      <IconLink to={portalHref(base, `/${group}s/${key}`)} label={`View ${group}`} itemName={name} icon="view" />
    ) : null;
}

export function performanceTableColumns({
  side,
  search,
  group,
  split,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  group: Grouping;
  split: Dimension | undefined;
}): Column<TableRow>[] {
  const sortedBy = search.sort ?? defaultSort(group).sort;
  const usual = (sort: string) => (sort === "name" ? "ascending" : "descending");
  const order = search.order ?? usual(sortedBy);
  const sortOf = (sort: NonNullable<AnalyticsSearch["sort"]>) => {
    const current = sort === sortedBy ? order : undefined;
    const other = current === "ascending" ? "descending" : "ascending";
    return { to: analyticsQuery(search, { group, sort, order: current ? other : usual(sort) }), current };
  };
  const figures = performanceColumns[side].map((figure) => ({ ...figure, name: columnName(figure) }));
  // The figure that the list is sorted by is never left out.
  const shown = figures.filter((figure) => isColumnShown(figure, search.columns));
  const amount = shown.find(({ sort }) => sort === sortedBy) ?? shown.find(({ sort }) => sort === "spend");
  return [
    {
      header: split ? `${groupingLabels[group]}, ${groupingLabels[split].toLowerCase()}` : groupingLabels[group],
      place: "title",
      sort: sortOf("name"),
      cell: (row) => (
        <>
          {row.parent === null ? null : <span className="sr-only">{row.parent}: </span>}
          <RowTitle
            name={row.name}
            to={filterQuery(search, { group: row.parent === null ? group : split, row })}
            preventScrollReset
            detail={row.counterparty ?? undefined}
          />
        </>
      ),
    },
    ...figures.map(
      ({ name, label, kind, of, sort }): Column<TableRow> => ({
        header: label,
        name,
        align: "right",
        place: label === amount?.label ? "amount" : undefined,
        priority: label === amount?.label ? undefined : columnPriorities[label],
        width: kind === "money" ? 126 : kind === "count" ? 108 : 76,
        sort: sort && sortOf(sort),
        cell: (row) => formatMetric(kind, of(row)),
      }),
    ),
  ];
}

/** The order in which figures are left out of a table that is too narrow, the highest first. */
const columnPriorities: Record<string, number> = {
  Spend: 1,
  Impressions: 2,
  Revenue: 3,
  Earnings: 3,
  ROAS: 4,
  eCPM: 4,
  Clicks: 5,
  CTR: 6,
  Conversions: 7,
};
