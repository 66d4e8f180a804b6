import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import type { SavedViewId } from "#app/domain/ids.ts";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { deleteReportSchedule } from "#app/domain/reports/delete-report.server.ts";
import { getReport, listReportPeople } from "#app/domain/reports/list-reports.server.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { timeZones } from "#app/domain/time-zone.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmDialog } from "#app/screens/shared/forms/confirm-dialog.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { rejectionOf } from "#app/ui/form/form-values.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";
import { ScheduleForm } from "./schedule-form.tsx";
import { scheduleFormSchema } from "./schedule-form-schema.ts";

const searchSchema = z.object({ ask: z.enum(["delete"]).optional().catch(undefined) });

/** `ask` is the action being confirmed. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const { id, name, schedule } = await orThrow404(getReport(ctx, requireIdParam<SavedViewId>(params.id)));
  const [people, { time_zone }] = await Promise.all([
    listReportPeople(ctx, schedule),
    getMailSettings(ctx, { userId: viewer.id }),
  ]);
  return {
    base,
    id,
    name,
    isScheduled: schedule !== null,
    ask: schedule ? parseSearchParams(request, searchSchema).ask : undefined,
    people,
    zones: timeZones(schedule?.timeZone ?? time_zone),
    stored: schedule
      ? toFormValues(schedule, people)
      : { ...usualValues, time_zone, recipients: [viewer.email.toLowerCase()] },
    checks: checksOf(scheduleFormSchema, { intent: "save" }),
  };
}

const usualValues = {
  frequency: "weekly",
  weekday: "monday",
  day_of_month: "1",
  hour: "8",
  range: "last_week",
  format: "csv",
};

type Schedule = NonNullable<Awaited<ReturnType<typeof getReport>>["schedule"]>;

/**
 * Recipients who left the account are not among the people to choose from, and are dropped when the schedule is saved.
 */
function toFormValues(
  { dayOfMonth, timeZone, hour, recipients, ...schedule }: Schedule,
  people: readonly { email: string }[],
) {
  const present = new Set(people.map(({ email }) => email.toLowerCase()));
  return {
    frequency: schedule.frequency,
    weekday: schedule.weekday,
    range: schedule.range,
    format: schedule.format,
    day_of_month: String(dayOfMonth),
    hour: String(hour),
    time_zone: timeZone,
    recipients: recipients.map(({ email }) => email.toLowerCase()).filter((email) => present.has(email)),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<SavedViewId>(params.id);
  await orThrow404(getReport(ctx, id));
  const back = portalHref(base, `/reports/${id}`);
  return handleForm(request, scheduleFormSchema, async (form) => {
    if (form.intent === "delete") {
      await deleteReportSchedule(ctx, { id });
      return redirectWithFlash(back, { tone: "success", message: "Schedule deleted" });
    }
    const { intent: _intent, ...schedule } = form;
    await scheduleReport(ctx, { id, ...schedule });
    return redirectWithFlash(back, { tone: "success", message: "Schedule saved" });
  });
}

export default function ScheduleReport() {
  const { base, id, name, isScheduled, ask, stored, zones, people, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const notDeleted = ask && !rejectionOf(rejected, "save") ? rejected : undefined;
  const back = portalHref(base, `/reports/${id}`);
  const page = `${back}/schedule`;
  const title = isScheduled ? "Change schedule" : "Schedule report";
  const trail = [
    { to: portalHref(base, "/reports"), label: "Reports" },
    { to: back, label: name },
  ];
  return (
    <>
      <Breadcrumbs trail={trail} here={title} />
      <PageHeader title={title} subtitle={`“${name}” as an email with its figures and a file`} />
      <div className="stack max-w-2xl">
        <ScheduleForm
          checks={checks}
          rejected={notDeleted ? undefined : rejected}
          stored={stored}
          zones={zones}
          people={people}
          submitLabel={isScheduled ? "Save schedule" : "Schedule report"}
          back={back}
        />
        {isScheduled ? (
          <Card title="Delete schedule">
            <div className="actions">
              <LinkButton to={`${page}?ask=delete`} variant="danger" icon="trash" preventScrollReset>
                Delete schedule
              </LinkButton>
            </div>
          </Card>
        ) : null}
      </div>
      {ask ? (
        <ConfirmDialog
          title="Delete this schedule?"
          closeTo={page}
          rejected={notDeleted}
          keep="Keep schedule"
          act={{ intent: "delete", label: "Delete schedule" }}
        >
          “{name}” stays and is no longer emailed. You can't undo this.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Schedule report") }];
