import { z } from "zod";
import type { SavedViewId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { deleteReport, deleteReportSchedule } from "#app/domain/reports/delete-report.server.ts";
import { getReportSending, listReportSendings } from "#app/domain/reports/list-report-sendings.server.ts";
import { getReport, listReports } from "#app/domain/reports/list-reports.server.ts";
import { pauseReport, resumeReport } from "#app/domain/reports/pause-report.server.ts";
import { newReportSchema, reportChangesSchema, reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import { updateReport } from "#app/domain/reports/update-report.server.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { reportJson, reportJsonSchema, reportSendingJson, reportSendingJsonSchema } from "../json/report-json.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape } from "../wire.ts";

const one = z.object({ report: reportJsonSchema });

/** Endpoints for saved reports, their schedules and their emails, for both sides. */
export const reportEndpoints = {
  "GET /api/reports": tenantEndpoint({
    summary: "List the account's reports by name, each with its schedule and its last email",
    query: z.object(pageQuery),
    response: z.object({ reports: z.array(reportJsonSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listReports(ctx), query, ({ id }) => id);
      return { reports: page.rows.map(reportJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/reports": tenantEndpoint({
    summary: "Save a view of analytics as a report. It is emailed once it is scheduled",
    body: newReportSchema,
    response: one,
    status: 201,
    creates: "reports",
    errors: ["limit_reached", "invalid_transition"],
    run: async ({ ctx, body }) => {
      const { id } = await createReport(ctx, body);
      return { report: reportJson(await getReport(ctx, id)) };
    },
  }),
  "GET /api/reports/{id}": tenantEndpoint({
    summary: "Get a report",
    response: one,
    run: async ({ ctx, params }) => ({ report: reportJson(await getReport(ctx, reportId(params))) }),
  }),
  "PATCH /api/reports/{id}": tenantEndpoint({
    summary: "Rename a report or change its view",
    body: reportChangesSchema,
    response: one,
    run: async ({ ctx, params, body }) => {
      const id = reportId(params);
      await updateReport(ctx, { id, ...body });
      return { report: reportJson(await getReport(ctx, id)) };
    },
  }),
  "DELETE /api/reports/{id}": tenantEndpoint({
    summary: "Delete a report with its schedule and the list of its emails",
    response: z.object(successShape),
    run: async ({ ctx, params }) => {
      await deleteReport(ctx, { id: reportId(params) });
      return successBody;
    },
  }),
  "POST /api/reports/{id}/schedule": tenantEndpoint({
    summary: "Schedule a report, or replace its schedule. A paused one stays paused",
    body: reportScheduleSchema,
    response: one,
    errors: ["invalid_transition"],
    run: async ({ ctx, params, body }) => {
      const id = reportId(params);
      await scheduleReport(ctx, { id, ...body });
      return { report: reportJson(await getReport(ctx, id)) };
    },
  }),
  "DELETE /api/reports/{id}/schedule": tenantEndpoint({
    summary: "Delete the schedule of a report, which stays and is no longer emailed",
    response: one,
    run: async ({ ctx, params }) => {
      const id = reportId(params);
      await deleteReportSchedule(ctx, { id });
      return { report: reportJson(await getReport(ctx, id)) };
    },
  }),
  "POST /api/reports/{id}/pause": tenantEndpoint({
    summary: "Pause the schedule of a report. No effect on a paused one",
    response: one,
    run: async ({ ctx, params }) => {
      const id = reportId(params);
      await pauseReport(ctx, { id });
      return { report: reportJson(await getReport(ctx, id)) };
    },
  }),
  "POST /api/reports/{id}/resume": tenantEndpoint({
    summary: "Resume the schedule of a report. What was due during the pause is not sent",
    response: one,
    run: async ({ ctx, params }) => {
      const id = reportId(params);
      await resumeReport(ctx, { id });
      return { report: reportJson(await getReport(ctx, id)) };
    },
  }),
  "POST /api/reports/{id}/send": tenantEndpoint({
    summary: "Email a report at once to the person who is signed in",
    response: z.object({ sending: reportSendingJsonSchema }),
    status: 202,
    // A key is nobody's, so it has no email address.
    allowsApiKeys: false,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const { userId } = ctx.actor;
      invariant(userId, "A signed-in person has an ID", { actor: ctx.actor });
      const id = await sendReportNow(ctx, { id: reportId(params), userId });
      return { sending: reportSendingJson(await getReportSending(ctx, id)) };
    },
  }),
  "GET /api/reports/{id}/sendings": tenantEndpoint({
    summary: "List when a report was sent, newest first, with the states of its emails",
    query: z.object(pageQuery),
    response: z.object({ sendings: z.array(reportSendingJsonSchema), ...pageResponse }),
    run: async ({ ctx, params, query }) => {
      const { id } = await getReport(ctx, reportId(params));
      const page = await listReportSendings(ctx, { ...query, reportId: id });
      return { sendings: page.rows.map(reportSendingJson), next_cursor: page.nextCursor };
    },
  }),
};

function reportId(params: Record<string, string>): SavedViewId {
  return requireId<SavedViewId>("Report", params.id);
}
