import type { Ctx, JobActor } from "../context.ts";
import { channelAdapters } from "./channels/adapters.server.ts";
import type { ChannelAdapter } from "./channels/channel-adapter.ts";
import { reportDelivery } from "./report-delivery.server.ts";

type Span = { from: Date; until: Date };

/** Asks every channel what it delivered in the span, and takes it in. Gives how many facts are new or restated. */
export async function collectReports(ctx: Ctx<JobActor>, span: Span): Promise<number> {
  let changed = 0;
  for (const adapter of channelAdapters()) changed += await collectFrom(ctx, { adapter, ...span });
  return changed;
}

/** The same of one that stands behind channels. */
export async function collectFrom(
  ctx: Ctx<JobActor>,
  { adapter, ...span }: Span & { adapter: ChannelAdapter },
): Promise<number> {
  let changed = 0;
  for await (const rows of adapter.fetchReport(ctx, span)) {
    const { added, restated } = await reportDelivery(ctx, { rows });
    changed += added + restated;
  }
  return changed;
}
