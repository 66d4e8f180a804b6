import { z } from "zod";
import { analyticsQuerySchema, askedOf, refuseReversedRange } from "#app/domain/analytics/analytics-payloads.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { previousPeriod } from "#app/domain/analytics/period.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { pageLimits } from "#app/domain/page.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { performanceFile, performanceFileTypes, performanceFormats } from "#app/web/performance-file.server.ts";
import { figuresJson, figuresSchema, performanceJson, performanceSchema } from "../analytics-json.ts";
import { tenantCall } from "../call.server.ts";
import { tenantFileCall } from "../file-call.server.ts";
import { pageAnswer, pageQuery, wire } from "../wire.ts";

const period = z.object({ from: wire.date, to: wire.date });
const orders = { asc: "ascending", desc: "descending" } as const;

/** Calls about what was delivered, for both sides, each about its own. */
export const analyticsCalls = {
  "GET /api/analytics": tenantCall({
    summary:
      "What was delivered in a period, compared with the as many days before; the rows add up to the totals, to the cent",
    query: z.object({
      ...analyticsQuerySchema,
      limit: pageQuery.limit.meta({ type: "integer", minimum: 1, maximum: pageLimits.max, default: pageLimits.max }),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, "Unknown page")
        .optional()
        .describe("`next_cursor` of the page before"),
    }),
    answer: z.object({
      period,
      previous_period: period,
      totals: figuresSchema,
      previous: figuresSchema,
      rows: z.array(performanceSchema),
      ...pageAnswer,
    }),
    run: async ({ ctx, query }) => {
      const { kind } = ctx.actor;
      refuseReversedRange(query);
      const asked = askedOf(query, calendarDateOf(ctx.clock()));
      const { group_by: group, sort, limit = pageLimits.max } = query;
      const order = query.order && orders[query.order];
      const offset = Number(query.cursor ?? 0);
      return inSnapshot(ctx, async (tx) => {
        const { totals, previous } = await compareTotals(tx, asked);
        const { rows, count } = await listPerformance(tx, { ...asked, group, sort, order, limit, offset });
        return {
          period: asked.period,
          previous_period: previousPeriod(asked.period),
          totals: figuresJson(kind, totals),
          previous: figuresJson(kind, previous),
          rows: rows.map((row) => performanceJson(kind, row)),
          next_cursor: offset + rows.length < count ? String(offset + rows.length) : null,
        };
      });
    },
  }),
  "GET /api/analytics/export": tenantFileCall({
    summary: "The same rows, all of them, and the totals as a file; five an hour",
    query: z.object({ format: z.enum(performanceFormats).default("csv"), ...analyticsQuerySchema }),
    fileTypes: Object.values(performanceFileTypes),
    run: async ({ ctx, query }) => {
      const { format, group_by: group, sort } = query;
      refuseReversedRange(query);
      const order = query.order && orders[query.order];
      return performanceFile(ctx, { ...askedOf(query, calendarDateOf(ctx.clock())), format, group, sort, order });
    },
  }),
};
