import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { OwnMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { keyMetrics } from "#app/domain/analytics/performance-columns.ts";
import { isFuture, isReversed } from "#app/domain/analytics/period.ts";
import { type MoneyTerm, moneyTerms } from "#app/domain/billing/money-words.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { formatFlight } from "#app/domain/calendar-date.ts";
import { findReport } from "#app/domain/reports/find-report.server.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ReportsMenu } from "#app/screens/shared/reports/reports-menu.tsx";
import { ViewsMenu } from "#app/screens/shared/views/views-menu.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatUtcTime } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Card, EmptyState, PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { AnalyticsCharts } from "./analytics-charts.tsx";
import { AnalyticsFilterForm } from "./analytics-filter-form.tsx";
import { analyticsQuery, noFilters } from "./analytics-search.ts";
import { KpiTiles } from "./kpi-tiles.tsx";
import { loadAnalytics } from "./load-analytics.server.ts";
import { PerformanceTable } from "./performance-table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base, portal } = await requireCurrentPortalAccess(request, context);
  const [analytics, savedViews] = await Promise.all([
    loadAnalytics(ctx, request),
    listSavedViews(ctx, { userId: viewer.id, list: "analytics" }),
  ]);
  const report = await findReport(ctx, analytics.search.saved);
  const definitions = terms[portal].map((term) => moneyTerms[term]);
  return { base, portal, savedViews, report, definitions, ...analytics };
}

const terms: Record<AccountType, readonly MoneyTerm[]> = {
  advertiser: ["spend", "revenue", "roas", "cpm"],
  publisher: ["period_earnings", "spend", "earned_cpm"],
};

export default function Analytics() {
  const { base, portal, savedViews, report, definitions, search, today, period, filters, options, ...loaded } =
    useLoaderData<typeof loader>();
  const { asOf, totals, previous, previousPeriod, table, sparks, series } = loaded;
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
        subtitle={`${formatFlight(period.from, period.to)}, compared with ${formatFlight(previousPeriod.from, previousPeriod.to)}. Days are in UTC.${asOf ? ` Figures as of ${formatUtcTime(asOf)}.` : ""}`}
        actions={
          <>
            <ViewsMenu
              base={base}
              list="analytics"
              all="Usual analytics"
              views={savedViews}
              query={analyticsQuery(search, { saved: undefined })}
              saved={search.saved}
            />
            <ReportsMenu base={base} query={analyticsQuery(search, { saved: undefined })} open={report} />
            {["CSV", "XLSX"].map((format) => (
              <a key={format} className="button" href={exportHref(format.toLowerCase())}>
                <Icon name="download" />
                Export {format}
              </a>
            ))}
          </>
        }
      />
      <Tabs
        label="View"
        tabs={views.map(({ view: other, label }) => ({
          to: analyticsQuery(search, {
            view: other,
            group: undefined,
            split: undefined,
            sort: undefined,
            order: undefined,
          }),
          label,
          current: other === view,
        }))}
      />
      <div className="stack">
        <Card>
          <AnalyticsFilterForm
            search={search}
            today={today}
            period={period}
            options={options}
            view={view}
            filtered={Object.keys(filters).length > 0}
          />
        </Card>
        {isReversed(search) ? (
          <Card>
            <EmptyState icon="chart-line" title="This range ends before it begins">
              Choose a last day that is not before the first.
            </EmptyState>
          </Card>
        ) : isFuture(search, today) ? (
          <Card>
            <EmptyState icon="chart-line" title="This range begins after today">
              Choose a first day that is not after today (UTC).
            </EmptyState>
          </Card>
        ) : !hasResults(portal, totals) && !hasResults(portal, previous) ? (
          <Card>
            <EmptyState
              icon="chart-line"
              title="No results"
              action={
                Object.keys(filters).length > 0 ? (
                  <LinkButton to={analyticsQuery({ ...search, ...noFilters })}>Clear filters</LinkButton>
                ) : (
                  <LinkButton to={portalHref(base, "/campaigns")}>Look at your campaigns</LinkButton>
                )
              }
            >
              {Object.keys(filters).length > 0
                ? "No results match these filters in this period or the previous one. Change the filters, or check back while campaigns run."
                : "No campaign delivered in this period or the previous one. Results appear here once a campaign delivers."}
            </EmptyState>
          </Card>
        ) : (
          <>
            <KpiTiles
              definitions={definitions}
              side={portal}
              search={search}
              totals={totals}
              previous={previous}
              sparks={sparks}
              series={series}
              interval={loaded.interval}
            />
            <AnalyticsCharts base={base} side={portal} search={search} charts={loaded} />
            <PerformanceTable
              base={base}
              side={portal}
              search={search}
              table={table}
              totals={totals}
              interval={loaded.interval}
            />
          </>
        )}
      </div>
    </>
  );
}

/** Whether there is a metric to show: late conversions, revenue and cost may be reported without impressions. */
function hasResults(side: AccountType, metrics: OwnMetrics): boolean {
  return keyMetrics[side].some(({ of }) => of(metrics));
}

export const meta: MetaFunction = () => [{ title: pageTitle("Analytics") }];
