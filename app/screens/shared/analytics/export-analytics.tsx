import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { refuseReversedRange } from "#app/domain/analytics/analytics-payloads.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { DomainError } from "#app/domain/errors.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { performanceFile } from "#app/web/performance-file.server.ts";
import { analyticsQuery, usualGroup } from "./analytics-search.ts";
import { readAnalyticsSearch } from "./read-analytics-search.server.ts";

/** The performance table of the address as a file. Over five an hour one is told so where one came from. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { search, ...asked } = readAnalyticsSearch(request, calendarDateOf(ctx.clock()));
  const { sort, order, group = usualGroup[search.view ?? ctx.actor.kind] } = search;
  const format = new URL(request.url).searchParams.get("format") === "xlsx" ? "xlsx" : "csv";
  try {
    refuseReversedRange(search);
    const file = await performanceFile(ctx, { ...asked, group, sort, order, format });
    const disposition = `attachment; filename="${file.name}"`;
    const headers = { "Content-Type": file.type, "Content-Disposition": disposition };
    return new Response(createReadableStreamFromReadable(file.content), { headers });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const back = portalHref(base, `/analytics${analyticsQuery(search)}`);
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
}
