import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { formatFlight } from "#app/domain/calendar-date.ts";
import type { SavedViewId } from "#app/domain/ids.ts";
import { listReportSendings } from "#app/domain/reports/list-report-sendings.server.ts";
import { getReport } from "#app/domain/reports/list-reports.server.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmDialog } from "#app/screens/shared/forms/confirm-dialog.tsx";
import { PollWhile } from "#app/screens/shared/forms/poll-while.tsx";
import { ReportBadge } from "#app/screens/shared/reports/report-badges.tsx";
import { describeView } from "#app/screens/shared/reports/report-copy.ts";
import { viewHref } from "#app/screens/shared/views/view-lists.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { formatDateTime } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { cursorParam, pageOrFirstPage, parseSearchParams } from "#app/web/search-params.server.ts";
import { handleReportAction } from "./report-actions.server.ts";
import { ScheduleCard } from "./schedule-card.tsx";
import { SendingTable } from "./sending-table.tsx";

const pageSize = 25;
const searchSchema = z.object({ cursor: cursorParam, ask: z.enum(["delete"]).optional().catch(undefined) });

/** `ask` is the action being confirmed. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const reportId = requireIdParam<SavedViewId>(params.id);
  const { cursor, ask } = parseSearchParams(request, searchSchema);
  const [{ id, name, query, schedule }, { rows, nextCursor, previousCursor }] = await inSnapshot(ctx, async (tx) => {
    const list = (page: { limit: number; cursor?: string }) => listReportSendings(tx, { ...page, reportId });
    return [await orThrow404(getReport(tx, reportId)), await pageOrFirstPage(list, { limit: pageSize, cursor })];
  });
  const timeZone = schedule?.timeZone ?? "UTC";
  return {
    base,
    report: { id, name, query, schedule, view: describeView(parseReportQuery(ctx, query)) },
    next: schedule?.nextDueAt ? formatDateTime(schedule.nextDueAt, timeZone) : undefined,
    sendings: rows.map(({ firstDay, lastDay, createdAt, dueAt, ...row }) => ({
      ...row,
      isScheduled: dueAt !== null,
      at: formatDateTime(createdAt, timeZone),
      days: formatFlight(firstDay, lastDay),
    })),
    cursors: { nextCursor, previousCursor },
    ask,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base, viewer } = await requireCurrentPortalAccess(request, context);
  return handleReportAction(ctx, { request, id: requireIdParam<SavedViewId>(params.id), base, viewer });
}

export default function ReportDetails() {
  const { base, report, next, sendings, cursors, ask } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const isSending = useNavigation().formData?.get("intent") === "send";
  const { id, name, schedule, view } = report;
  const page = portalHref(base, `/reports/${id}`);
  const pageHref = (cursor: string | null) => (cursor ? `?${new URLSearchParams({ cursor })}` : undefined);
  return (
    <>
      <PollWhile running={!ask && sendings.some(({ waiting }) => waiting > 0)} />
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/analytics"), label: "Analytics" },
          { to: portalHref(base, "/reports"), label: "Reports" },
        ]}
        here={name}
      />
      <PageHeader
        title={
          <>
            <span className="wrap-anywhere">{name}</span> <ReportBadge schedule={schedule} />
          </>
        }
        subtitle={view}
        actions={
          <>
            <LinkButton to={viewHref(base, { list: "analytics", query: report.query, id })} icon="chart-line">
              View in analytics
            </LinkButton>
            {schedule ? (
              <Form method="post" preventScrollReset>
                <Button
                  name="intent"
                  value={schedule.isPaused ? "resume" : "pause"}
                  icon={schedule.isPaused ? "play" : "pause"}
                >
                  {schedule.isPaused ? "Resume" : "Pause"}
                </Button>
              </Form>
            ) : null}
            <Form method="post" preventScrollReset>
              <Button
                name="intent"
                value="send"
                icon="send"
                variant={schedule ? "primary" : "secondary"}
                busy={isSending}
              >
                Send to me now
              </Button>
            </Form>
          </>
        }
      />
      <div className="stack">
        <ErrorSummary errors={toSummaryErrors(ask ? undefined : rejected?.error)} />
        {schedule ? (
          <ScheduleCard schedule={schedule} next={next} editHref={`${page}/schedule`} />
        ) : (
          <Card title="Schedule">
            <EmptyState
              icon="calendar-clock"
              title="Not scheduled"
              action={
                <LinkButton to={`${page}/schedule`} variant="primary">
                  Schedule report
                </LinkButton>
              }
            >
              Have this report emailed to people of your account every day, week or month.
            </EmptyState>
          </Card>
        )}
        <Card title="Emails" flush>
          {sendings.length === 0 ? (
            <EmptyState icon="send" title="No emails yet">
              Each time the report is sent it is listed here, with its result and its file.
            </EmptyState>
          ) : (
            <>
              <SendingTable rows={sendings} page={page} />
              <Pagination
                shown={`${sendings.length} shown`}
                previous={pageHref(cursors.previousCursor)}
                next={pageHref(cursors.nextCursor)}
              />
            </>
          )}
        </Card>
        <Card title="Report">
          <div className="actions">
            <LinkButton to={`${page}/edit`}>Rename report</LinkButton>
            <LinkButton to={`${page}?ask=delete`} variant="danger" preventScrollReset>
              Delete report
            </LinkButton>
          </div>
        </Card>
      </div>
      {ask ? (
        <ConfirmDialog
          title="Delete this report?"
          closeTo={page}
          rejected={rejected}
          keep="Keep report"
          act={{ intent: "delete", label: "Delete report" }}
        >
          “{name}” is no longer emailed, and its schedule and the list of its emails are deleted. You can't undo this.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `${data.report.name} · Reports` : "Reports") },
];
