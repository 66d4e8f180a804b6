import { sql } from "drizzle-orm";
import { queryRows } from "#db/query-rows.server.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import { compareTotals } from "./compare-totals.server.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import {
  type Performance,
  type PerformanceRequest,
  toPerformance,
  withPerformanceDefaults,
} from "./list-performance.server.ts";
import { performanceQuery, performanceRow } from "./performance-query.server.ts";

const batchSize = 2_000;

/**
 * Passes every row of the table to `onRows` in batches and returns the totals. A single statement reads the rows
 * through a database cursor, so that the context has to be a snapshot's.
 */
export async function exportPerformance(
  ctx: ReadCtx<TenantActor>,
  { onRows, ...request }: PerformanceRequest & { onRows: (rows: Performance[]) => Promise<void> },
): Promise<DeliveryMetrics> {
  await ctx.db.execute(
    sql`declare export no scroll cursor for ${performanceQuery(ctx, withPerformanceDefaults(request))}`,
  );
  for (;;) {
    const batch = await queryRows(ctx.db, performanceRow, sql.raw(`fetch ${batchSize} from export`));
    if (batch.length > 0) await onRows(batch.map((row) => toPerformance(request.group, row)));
    if (batch.length < batchSize) break;
  }
  return (await compareTotals(ctx, request)).totals;
}
