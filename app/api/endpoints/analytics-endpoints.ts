import { z } from "zod";
import { isInterval } from "#app/domain/analytics/analytics.ts";
import {
  analyticsQuerySchema,
  parseAnalyticsQuery,
  rejectForeignSort,
  rejectWrongRange,
  requireBreakdown,
} from "#app/domain/analytics/analytics-payloads.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { breakdownLimits } from "#app/domain/analytics/breakdown-limits.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { rejectTooManyFacts } from "#app/domain/analytics/facts-limit.server.ts";
import type { PeriodInterval } from "#app/domain/analytics/interval.ts";
import { listCampaignMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import { listIntervals } from "#app/domain/analytics/list-intervals.server.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { previousPeriod } from "#app/domain/analytics/period.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { pageLimits } from "#app/domain/page.ts";
import { inStaleSnapshot } from "#app/domain/stale-reads.server.ts";
import {
  createPerformanceExport,
  performanceContentTypes,
  performanceFormats,
} from "#app/web/exports/performance-export.server.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { tenantFileEndpoint } from "../file-endpoint.server.ts";
import {
  averageJson,
  averageSchema,
  breakdownJson,
  intervalJson,
  markJson,
  markSchema,
  metricsJson,
  metricsSchema,
  performanceJson,
  performanceSchema,
} from "../json/analytics-json.ts";
import { pageQuery, pageResponse, wire } from "../wire.ts";

const period = z.object({ from: wire.date, to: wire.date });
const orders = { asc: "ascending", desc: "descending" } as const;

/** Analytics endpoints, for both sides; each sees only its own data. */
export const analyticsEndpoints = {
  "GET /api/analytics": tenantEndpoint({
    summary: "Get performance for a period and the preceding period of equal length. Rows add up to the totals",
    query: z.object({
      ...analyticsQuerySchema,
      limit: pageQuery.limit.meta({ type: "integer", minimum: 1, maximum: pageLimits.max, default: pageLimits.max }),
      cursor: z
        .string()
        .regex(/^\d{0,9}$/, "Invalid cursor. Start again from the first page.")
        .optional()
        .describe("`next_cursor` from the previous page"),
    }),
    response: z.object({
      as_of: wire.time.nullable().describe("The figures include every change up to then; null: all changes"),
      period,
      previous_period: period,
      totals: metricsSchema,
      previous: metricsSchema,
      average: averageSchema
        .nullable()
        .optional()
        .describe("By day, week or month: the average of the rows that are not partial; null without one"),
      marks: z
        .array(markSchema)
        .optional()
        .describe(
          "By day, week or month: launches, pauses, resumptions and changes of budgets in the period, at most the newest 500, on every page",
        ),
      marks_from: wire.date
        .nullable()
        .optional()
        .describe("The day from which changes were read, if there were more than 500; otherwise null"),
      rows: z.array(performanceSchema),
      ...pageResponse,
    }),
    run: async ({ ctx, query }) => {
      const { kind } = ctx.actor;
      const today = calendarDateOf(ctx.clock());
      rejectWrongRange(query, today);
      rejectForeignSort(kind, query.sort);
      const analyticsQuery = parseAnalyticsQuery(query, today);
      const { group_by: group, sort, limit = pageLimits.max } = query;
      const order = query.order && orders[query.order];
      const offset = Number(query.cursor ?? 0);
      const { period } = analyticsQuery;
      const breakdown = query.split_by && requireBreakdown(group, query.split_by);
      return inStaleSnapshot(ctx, async (reading) => {
        await rejectTooManyFacts(reading, { ...analyticsQuery, group: isInterval(group) ? "day" : group });
        const { totals, previous } = await compareTotals(reading, analyticsQuery);
        const compared = {
          as_of: reading.asOf?.toISOString() ?? null,
          period,
          previous_period: previousPeriod(period),
          totals: metricsJson(kind, totals),
          previous: metricsJson(kind, previous),
        };
        if (breakdown) {
          const asked = { ...analyticsQuery, ...breakdown, sort, order, limits: breakdownLimits.file };
          const { groups } = await breakDownPerformance(reading, asked);
          return { ...compared, rows: groups.flatMap((row) => breakdownJson(kind, row)), next_cursor: null };
        }
        const { rows, count } = await listPerformance(reading, {
          ...analyticsQuery,
          group,
          sort,
          order,
          limit,
          offset,
        });
        const next_cursor = offset + rows.length < count ? String(offset + rows.length) : null;
        if (!isInterval(group))
          return { ...compared, rows: rows.map((row) => performanceJson(kind, row)), next_cursor };
        const { intervals, average } = await listIntervals(reading, { ...analyticsQuery, interval: group });
        const { marks, readFrom } = await listCampaignMarks(reading, analyticsQuery);
        const placeOf = new Map<string | null, PeriodInterval>(intervals.map((one) => [one.start, one]));
        return {
          ...compared,
          average: average && averageJson(kind, average),
          marks: marks.map(markJson),
          marks_from: readFrom,
          rows: rows.map((row) => {
            const place = placeOf.get(row.key);
            return { ...performanceJson(kind, row), ...(place && intervalJson(place)) };
          }),
          next_cursor,
        };
      });
    },
  }),
  "GET /api/analytics/export": tenantFileEndpoint({
    summary: "Export all rows and totals as a file. Limited to five exports per hour",
    query: z.object({ format: z.enum(performanceFormats).default("csv"), ...analyticsQuerySchema }),
    fileTypes: Object.values(performanceContentTypes),
    run: async ({ ctx, method, query }) => {
      const { format, group_by: group, split_by: split, sort } = query;
      const today = calendarDateOf(ctx.clock());
      rejectWrongRange(query, today);
      rejectForeignSort(ctx.actor.kind, sort);
      if (split) requireBreakdown(group, split);
      const order = query.order && orders[query.order];
      return createPerformanceExport(ctx, {
        ...parseAnalyticsQuery(query, today),
        method,
        format,
        isForPeople: false,
        group,
        split,
        sort,
        order,
      });
    },
  }),
};
