import type { Ctx, JobActor } from "../context.ts";
import { loadChannelAdapters } from "./channels/adapters.server.ts";
import type { ChannelAdapter } from "./channels/channel-adapter.ts";
import type { RowRejection } from "./delivery-row.ts";
import { ingestDeliveryReport } from "./ingest-delivery-report.server.ts";

type Span = { from: Date; until: Date };

/**
 * Collects and ingests the reports of every channel for the span, with simulated ones. Returns how many facts are new
 * or restated.
 */
export async function collectReports(ctx: Ctx<JobActor>, span: Span): Promise<number> {
  let changed = 0;
  for (const adapter of (await loadChannelAdapters(ctx)).reporting({ isSimulated: true })) {
    changed += (await collectFromAdapter(ctx, { adapter, ...span }))?.changed ?? 0;
  }
  return changed;
}

type CollectionResult = { changed: number; accepted: number; rejected: Partial<Record<RowRejection, number>> };

/**
 * Collects and ingests the reports of one adapter. Returns the number of accepted rows and of rejected ones by reason;
 * undefined when the process stops before it has all of them.
 */
export async function collectFromAdapter(
  ctx: Ctx<JobActor>,
  { adapter, ...span }: Span & { adapter: ChannelAdapter },
): Promise<CollectionResult | undefined> {
  const result: CollectionResult = { changed: 0, accepted: 0, rejected: {} };
  for await (const rows of adapter.fetchReport(ctx, span)) {
    if (ctx.stopping?.aborted) return undefined;
    const { added, restated, accepted, rejected } = await ingestDeliveryReport(ctx, { rows });
    result.changed += added + restated;
    result.accepted += accepted;
    for (const { code } of rejected) result.rejected[code] = (result.rejected[code] ?? 0) + 1;
  }
  return result;
}
