import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ChartLine, Download } from "lucide-react";
import { isReversed } from "#app/domain/analytics/period.ts";
import { formatFlight } from "#app/domain/calendar-date.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, EmptyState, PageHeader, Tabs } from "#app/ui/layout.tsx";
import { AnalyticsCharts } from "./analytics-charts.tsx";
import { AnalyticsFilterForm } from "./analytics-filter-form.tsx";
import { analyticsQuery, groupQuery } from "./analytics-search.ts";
import { KeyFigures } from "./key-figures.tsx";
import { loadAnalytics } from "./load-analytics.server.ts";
import { PerformanceTable } from "./performance-table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal } = await enterThisPortal(request, context);
  return { base, portal, ...(await loadAnalytics(ctx, request)) };
}

export default function Analytics() {
  const { base, portal, search, period, filters, options, ...loaded } = useLoaderData<typeof loader>();
  const { totals, previous, previousPeriod, table, sparks, metric } = loaded;
  const view = search.view ?? portal;
  const views = [
    { view: "advertiser", label: "Advertiser view" },
    { view: "publisher", label: "Publisher view" },
  ] as const;
  const exportHref = (format: string) =>
    portalHref(base, `/analytics/export${analyticsQuery(search, { group: table.group })}&format=${format}`);
  return (
    <>
      <PageHeader
        title="Analytics"
        subtitle={`${formatFlight(period.from, period.to)}, compared with ${formatFlight(previousPeriod.from, previousPeriod.to)}. Days are UTC.`}
        actions={["CSV", "XLSX"].map((format) => (
          <a key={format} className="button" href={exportHref(format.toLowerCase())}>
            <Download aria-hidden />
            Export {format}
          </a>
        ))}
      />
      <Tabs
        label="View"
        tabs={views.map(({ view: other, label }) => ({
          to: analyticsQuery(search, { view: other, group: undefined, sort: undefined, order: undefined }),
          label,
          current: other === view,
        }))}
      />
      <div className="stack">
        <Card>
          <AnalyticsFilterForm
            key={analyticsQuery(search)}
            search={search}
            period={period}
            options={options}
            view={view}
            filtered={Object.keys(filters).length > 0}
          />
        </Card>
        {isReversed(search) ? (
          <Card>
            <EmptyState icon={ChartLine} title="This range ends before it begins">
              Choose a last day that is not before the first.
            </EmptyState>
          </Card>
        ) : totals.impressions === 0 && previous.impressions === 0 ? (
          <Card>
            <EmptyState
              icon={ChartLine}
              title="Nothing delivered here"
              action={
                Object.keys(filters).length > 0 ? (
                  <LinkButton to={analyticsQuery({ ...search, ...noFilters })}>Clear filters</LinkButton>
                ) : (
                  <LinkButton to={portalHref(base, "/campaigns")}>Look at your campaigns</LinkButton>
                )
              }
            >
              No campaign delivered what you look for in this period, or in the one before. Figures come in day by day
              while campaigns run.
            </EmptyState>
          </Card>
        ) : (
          <>
            <KeyFigures
              side={portal}
              search={search}
              totals={totals}
              previous={previous}
              sparks={sparks}
              metric={metric}
            />
            <AnalyticsCharts side={portal} search={search} charts={loaded} />
            <PerformanceTable
              base={base}
              side={portal}
              search={search}
              table={table}
              totals={totals}
              tabHref={groupQuery}
            />
          </>
        )}
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Analytics") }];

const noFilters = { campaign: undefined, audience: undefined, category: undefined, channel: undefined };
