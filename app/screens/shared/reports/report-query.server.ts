import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { parseAnalyticsRequest } from "#app/screens/shared/analytics/parse-analytics-request.server.ts";

/** Parses a report's stored query as the analytics page does when it is opened. */
export function parseReportQuery(ctx: Ctx<TenantActor>, query: string) {
  return parseAnalyticsRequest(new Request(`http://report.invalid/analytics?${query}`), {
    side: ctx.actor.kind,
    today: calendarDateOf(ctx.clock()),
  });
}
