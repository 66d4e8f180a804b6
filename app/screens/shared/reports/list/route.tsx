import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { listReports } from "#app/domain/reports/list-reports.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ReportBadge, SendingBadge } from "#app/screens/shared/reports/report-badges.tsx";
import { describeTiming } from "#app/screens/shared/reports/report-copy.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatDateTime } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const reports = await inSnapshot(ctx, listReports);
  return {
    base,
    reports: reports.map(({ id, name, schedule, lastSending }) => {
      const timeZone = schedule?.timeZone ?? "UTC";
      return {
        id,
        name,
        schedule,
        timing: schedule ? describeTiming(schedule) : "–",
        next: schedule?.nextDueAt ? formatDateTime(schedule.nextDueAt, timeZone) : "–",
        last: lastSending && { ...lastSending, at: formatDateTime(lastSending.createdAt, timeZone) },
      };
    }),
  };
}

export default function Reports() {
  const { base, reports } = useLoaderData<typeof loader>();
  const analytics = portalHref(base, "/analytics");
  return (
    <>
      <Breadcrumbs trail={[{ to: analytics, label: "Analytics" }]} here="Reports" />
      <PageHeader
        title="Reports"
        subtitle="Views of analytics that your account has saved, and when they are emailed"
        actions={
          <LinkButton to={analytics} icon="chart-line">
            Create from analytics
          </LinkButton>
        }
      />
      <Card flush>
        {reports.length === 0 ? (
          <EmptyState
            icon="calendar-clock"
            title="No reports yet"
            action={<LinkButton to={analytics}>Go to analytics</LinkButton>}
          >
            Choose the filters you need in analytics, then save the view as a report. It can be emailed every day, week
            or month.
          </EmptyState>
        ) : (
          <DataTable
            caption="Reports"
            columns={[
              {
                header: "Report",
                place: "title",
                cell: ({ id, name, timing, schedule }) => (
                  <RowTitle name={name} to={portalHref(base, `/reports/${id}`)} narrowDetail={schedule ? timing : ""} />
                ),
              },
              { header: "Status", place: "status", width: 132, cell: (report) => <ReportBadge {...report} /> },
              { header: "Schedule", priority: 1, width: 240, cell: ({ timing }) => timing },
              { header: "Next email", priority: 2, width: 200, cell: ({ next }) => next },
              {
                header: "Last email",
                priority: 3,
                width: 220,
                cell: ({ last }) =>
                  last ? (
                    <>
                      {last.at}
                      <br />
                      <SendingBadge {...last} />
                    </>
                  ) : (
                    "–"
                  ),
              },
            ]}
            rows={reports}
          />
        )}
      </Card>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Reports") }];
