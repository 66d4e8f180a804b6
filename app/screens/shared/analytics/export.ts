import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { rejectWrongRange } from "#app/domain/analytics/analytics-payloads.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { DomainError } from "#app/domain/errors.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { createPerformanceExport } from "#app/web/exports/performance-export.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { analyticsQuery } from "./analytics-search.ts";
import { parseAnalyticsRequest } from "./parse-analytics-request.server.ts";

/**
 * Exports the performance table that the URL selects as CSV. For days that analytics rejects, and beyond five exports
 * per hour, redirects back with a message.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const today = calendarDateOf(ctx.clock());
  const reader = { side: ctx.actor.kind, today };
  const { search, period, filters, group, split, sort, order } = parseAnalyticsRequest(request, reader);
  const format = new URL(request.url).searchParams.get("format") === "xlsx" ? "xlsx" : "csv";
  try {
    rejectWrongRange(search, today);
    const view = { period, filters, group, split, sort, order };
    const file = await createPerformanceExport(ctx, { ...view, method: request.method, format, isForPeople: true });
    const disposition = `attachment; filename="${file.name}"`;
    const headers = { "Content-Type": file.type, "Content-Disposition": disposition };
    return new Response(createReadableStreamFromReadable(file.content), { headers });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const back = portalHref(base, `/analytics${analyticsQuery(search)}`);
    const [message = error.message] = Object.values(error.fields ?? {}).flat();
    return redirectWithFlash(back, { tone: "error", message });
  }
}
