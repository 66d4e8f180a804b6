import { z } from "zod";
import { type AnalyticsRequest, analyticsSearchParams, resolveAnalyticsSearch } from "../analytics/analytics-search.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { ReadCtx, TenantActor } from "../context.ts";

const searchSchema = z.object(analyticsSearchParams);

/** Parses a report's stored query as the analytics page does when it is opened. Invalid values are ignored. Pure. */
export function parseReportQuery({ actor, clock }: ReadCtx<TenantActor>, query: string): AnalyticsRequest {
  return resolveAnalyticsSearch(parseReportSearch(query), { side: actor.kind, today: calendarDateOf(clock()) });
}

/** Parses the parameters of a query; invalid values are ignored. Pure. */
export function parseReportSearch(query: string) {
  return searchSchema.parse(Object.fromEntries(new URLSearchParams(query)));
}
