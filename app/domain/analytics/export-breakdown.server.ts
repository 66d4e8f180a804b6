import type { Ctx, TenantActor } from "../context.ts";
import { inSnapshot } from "../transaction.server.ts";
import { type BreakdownRequest, breakDownPerformance } from "./break-down-performance.server.ts";
import { breakdownLimits } from "./breakdown-limits.ts";
import type { BreakdownGroup } from "./breakdown-matrix.ts";
import { compareTotals } from "./compare-totals.server.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";

/** Passes every group of a file's breakdown to `onGroup` and returns the totals, all from one snapshot. */
export async function exportBreakdown(
  ctx: Ctx<TenantActor>,
  { onGroup, ...request }: BreakdownRequest & { onGroup: (group: BreakdownGroup) => Promise<void> },
): Promise<DeliveryMetrics> {
  return inSnapshot(ctx, async (tx) => {
    const { groups } = await breakDownPerformance(tx, { ...request, limits: breakdownLimits.file });
    for (const group of groups) await onGroup(group);
    return (await compareTotals(tx, request)).totals;
  });
}
