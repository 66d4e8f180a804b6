import { Link } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Grouping } from "#app/domain/analytics/analytics.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import type { Performance } from "#app/domain/analytics/list-performance.server.ts";
import { groupingLabels, groupingPlurals, performanceColumns } from "#app/domain/analytics/performance-columns.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { IconLink } from "#app/ui/button.tsx";
import { formatMeasure } from "#app/ui/chart/measure.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, Tabs } from "#app/ui/layout.tsx";
import { type Column, DataTable, Pagination } from "#app/ui/table.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

type Table = { group: Grouping; page: number; pages: number; from: number; rows: Performance[]; count: number };
type Row = Figures & { id: string; name: string; note: string | null; key: string | null };

/** The table of campaigns, audiences, channels, categories or days: sorted by its heads, the totals last. */
export function PerformanceTable({
  base,
  side,
  search,
  table,
  totals,
  tabHref,
}: {
  base: PortalBase;
  side: AccountType;
  search: AnalyticsSearch;
  table: Table;
  totals: Figures;
  tabHref: (search: AnalyticsSearch, group: Grouping) => string;
}) {
  const { group, page, pages, from, rows, count } = table;
  const pageHref = (to: number) => (to < 1 || to > pages ? undefined : analyticsQuery(search, { page: String(to) }));
  return (
    <div>
      <Tabs
        label="Performance by"
        tabs={(["campaign", "audience", "channel", "category", "day"] as const satisfies readonly Grouping[]).map(
          (one) => ({
            to: tabHref(search, one),
            label: groupingPlurals[one],
            current: one === group,
          }),
        )}
      />
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState title="Nothing delivered in this period">Only the period before has figures.</EmptyState>
        ) : (
          <DataTable
            caption={`Performance by ${groupingLabels[group].toLowerCase()}`}
            columns={columnsOf({ side, search, group })}
            rows={rows.map((row) => ({ ...row, id: row.key ?? "none" }))}
            totals={{ ...totals, id: "total", name: "Total", note: null, key: null }}
            actions={pageOf(base, { side, group })}
          />
        )}
        <Pagination
          shown={
            count > rows.length
              ? `${formatCount(from)}–${formatCount(from + rows.length - 1)} of ${formatCount(count)}`
              : formatNumberOf(count, "row")
          }
          previous={pageHref(page - 1)}
          next={pageHref(page + 1)}
        />
      </Card>
    </div>
  );
}

/** What a row is about has a page of its own here and there. */
function pageOf(base: PortalBase, { side, group }: { side: AccountType; group: Grouping }) {
  if (group !== "campaign" && !(group === "audience" && side === "publisher")) return undefined;
  return ({ key, name }: Row) =>
    key ? <IconLink to={portalHref(base, `/${group}s/${key}`)} label={`View ${group}`} of={name} icon="view" /> : null;
}

function columnsOf({
  side,
  search,
  group,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  group: Grouping;
}): Column<Row>[] {
  const sortedBy = search.sort ?? (group === "day" ? "name" : "spend");
  const usual = (sort: string) => (sort === "name" ? "ascending" : "descending");
  const order = search.order ?? usual(sortedBy);
  const sortOf = (sort: NonNullable<AnalyticsSearch["sort"]>) => {
    const current = sort === sortedBy ? order : undefined;
    const other = current === "ascending" ? "descending" : "ascending";
    return { to: analyticsQuery(search, { group, sort, order: current ? other : usual(sort) }), current };
  };
  return [
    {
      head: groupingLabels[group],
      wide: true,
      sort: sortOf("name"),
      cell: (row) => (
        <>
          {group === "day" || !row.key ? (
            <strong>{group === "day" && row.key ? formatDate(new Date(row.key)) : row.name}</strong>
          ) : (
            <Link className="row-link" to={analyticsQuery(search, { [group]: row.key, group, page: undefined })}>
              {row.name}
            </Link>
          )}
          {row.note ? <small>{row.note}</small> : null}
        </>
      ),
    },
    ...performanceColumns[side].map(
      ({ label, kind, of, sort }): Column<Row> => ({
        head: label,
        right: true,
        sort: sort && sortOf(sort),
        cell: (row) => formatMeasure(kind, of(row)),
      }),
    ),
  ];
}
