import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import type { ReadCtx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { ReportSendingId, SavedViewId } from "#app/domain/ids.ts";
import { getReportSending } from "#app/domain/reports/list-report-sendings.server.ts";
import { getReport } from "#app/domain/reports/list-reports.server.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import { inStaleSnapshot } from "#app/domain/stale-reads.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { consumeReportDocumentLimit } from "#app/web/exports/export-limit.server.ts";
import {
  createPerformanceExport,
  fileTimeoutMs,
  performanceContentTypes,
} from "#app/web/exports/performance-export.server.ts";
import { loadReportDocument, maxReportFacts, reportFileName } from "#app/web/exports/report-file.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { notFoundResponse, orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { pdfResponse } from "#app/web/pdf-response.server.ts";

/**
 * Creates the file of a report that was sent again, with the same dates and today's figures, under the limits of its
 * email. CSV files count as exports; PDFs have a limit of their own.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await requireCurrentPortalAccess(request, context);
  const { id, name } = await orThrow404(getReport(ctx, requireIdParam<SavedViewId>(params.id)));
  const sending = await orThrow404(getReportSending(ctx, requireIdParam<ReportSendingId>(params.sending)));
  if (sending.reportId !== id) throw notFoundResponse();
  const report = { name, companyName: viewer.companyName, query: sending.query, format: sending.format };
  const fileName = reportFileName(ctx, report);
  const type = sending.format === "pdf" ? "application/pdf" : performanceContentTypes.csv;
  const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename="${fileName}"` };
  if (request.method === "HEAD") return new Response(null, { headers });
  try {
    if (sending.format === "pdf") {
      await consumeReportDocumentLimit(ctx, request);
      const load = (reading: ReadCtx<TenantActor>) => loadReportDocument(reading, report);
      const document = await inStaleSnapshot(ctx, load, { timeoutMs: fileTimeoutMs });
      return await pdfResponse(ctx, { request, fileName, document });
    }
    const table = parseReportQuery(ctx, sending.query);
    const look = { format: "csv", isForPeople: true, maxFacts: maxReportFacts } as const;
    const { content } = await createPerformanceExport(ctx, { ...table, ...look, method: request.method });
    return new Response(createReadableStreamFromReadable(content), { headers });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(portalHref(base, `/reports/${id}`), { tone: "error", message: error.message });
  }
}
