import type { ReadCtx, TenantActor } from "../context.ts";
import { type BreakdownRequest, breakDownPerformance } from "./break-down-performance.server.ts";
import { breakdownLimits } from "./breakdown-limits.ts";
import type { BreakdownGroup } from "./breakdown-matrix.ts";
import { compareTotals } from "./compare-totals.server.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";

/** Passes every group of a file's breakdown to `onGroup` and returns the totals, from the context's snapshot. */
export async function exportBreakdown(
  ctx: ReadCtx<TenantActor>,
  { onGroup, ...request }: BreakdownRequest & { onGroup: (group: BreakdownGroup) => Promise<void> },
): Promise<DeliveryMetrics> {
  const { groups } = await breakDownPerformance(ctx, { ...request, limits: breakdownLimits.file });
  for (const group of groups) await onGroup(group);
  return (await compareTotals(ctx, request)).totals;
}
