import { z } from "zod";
import type { RegisteredViewer } from "#app/domain/accounts/viewer.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { deleteIdempotently, findUnlessDeleted } from "#app/domain/idempotency/delete-idempotently.server.ts";
import type { SavedViewId } from "#app/domain/ids.ts";
import { deleteReport } from "#app/domain/reports/delete-report.server.ts";
import { getReport } from "#app/domain/reports/list-reports.server.ts";
import { pauseReport, resumeReport } from "#app/domain/reports/pause-report.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import { updateReport } from "#app/domain/reports/update-report.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { viewHref } from "#app/screens/shared/views/view-lists.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

/** The actions of a report's page, distinguished by button; `update` is the one of the analytics page. */
const reportActionSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("send") }),
  z.object({ intent: z.literal("pause") }),
  z.object({ intent: z.literal("resume") }),
  z.object({ intent: z.literal("delete") }),
  z.object({ intent: z.literal("update"), query: z.string().max(8_000).default("") }),
]);

type Press = { request: Request; id: SavedViewId; base: PortalBase; viewer: RegisteredViewer };

export async function handleReportAction(ctx: Ctx<TenantActor>, { request, id, base, viewer }: Press) {
  await orThrow404(findUnlessDeleted(ctx, { id }, getReport(ctx, id)));
  const page = portalHref(base, `/reports/${id}`);
  return handleForm(request, reportActionSchema, async (form) => {
    switch (form.intent) {
      case "send":
        await sendReportNow(ctx, { id, userId: viewer.id });
        return redirectWithFlash(page, { tone: "success", message: `Report sent to ${viewer.email}` });
      case "pause":
        await pauseReport(ctx, { id });
        return redirectWithFlash(page, {
          tone: "success",
          message: "Report paused",
          undo: { action: "resume_report", id },
        });
      case "resume":
        await resumeReport(ctx, { id });
        return redirectWithFlash(page, {
          tone: "success",
          message: "Report resumed",
          undo: { action: "pause_report", id },
        });
      case "update": {
        await updateReport(ctx, { id, query: form.query });
        const { name, query } = await getReport(ctx, id);
        const message = `Report “${name}” saved`;
        return redirectWithFlash(viewHref(base, { list: "analytics", query, id }), { tone: "success", message });
      }
      case "delete": {
        const { name } = await deleteIdempotently(ctx, { id, schema: z.object({ name: z.string() }) }, (once) =>
          deleteReport(once, { id }),
        );
        return redirectWithFlash(portalHref(base, "/reports"), {
          tone: "success",
          message: `Report “${name}” deleted`,
        });
      }
    }
  });
}
