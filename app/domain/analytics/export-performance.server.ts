import { sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { inSnapshot } from "../transaction.server.ts";
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
/** The limit for the whole file, in milliseconds. */
const timeoutMs = 60_000;

/**
 * Passes every row of the table to `take` in batches and returns the totals, all from one snapshot. A single statement
 * reads the rows through a database cursor.
 */
export async function exportPerformance(
  ctx: Ctx<TenantActor>,
  { onRows, ...request }: PerformanceRequest & { onRows: (rows: Performance[]) => Promise<void> },
): Promise<DeliveryMetrics> {
  return withDeadline(timeoutMs, () =>
    inSnapshot(ctx, async (tx) => {
      await tx.db.execute(sql.raw(`set local statement_timeout = ${timeoutMs}`));
      await tx.db.execute(
        sql`declare export no scroll cursor for ${performanceQuery(tx, withPerformanceDefaults(request))}`,
      );
      for (;;) {
        const batch = await queryRows(tx.db, performanceRow, sql.raw(`fetch ${batchSize} from export`));
        if (batch.length > 0) await onRows(batch.map((row) => toPerformance(request.group, row)));
        if (batch.length < batchSize) break;
      }
      return (await compareTotals(tx, request)).totals;
    }),
  );
}
