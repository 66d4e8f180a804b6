import type { Ctx, JobActor } from "../context.ts";
import { openAdapters } from "./channels/adapters.server.ts";
import type { ChannelAdapter } from "./channels/channel-adapter.ts";
import type { RowRefusal } from "./delivery-row.ts";
import { reportDelivery } from "./report-delivery.server.ts";

type Span = { from: Date; until: Date };

/** Asks every channel what it delivered in the span, and takes it in. Gives how many facts are new or restated. */
export async function collectReports(ctx: Ctx<JobActor>, span: Span): Promise<number> {
  let changed = 0;
  for (const adapter of (await openAdapters(ctx)).all()) {
    changed += (await collectFrom(ctx, { adapter, ...span })).changed;
  }
  return changed;
}

export type Collected = { changed: number; accepted: number; refused: Partial<Record<RowRefusal, number>> };

/** The same of one that stands behind channels, with how many rows stand, and how many were left aside for which reason. */
export async function collectFrom(
  ctx: Ctx<JobActor>,
  { adapter, ...span }: Span & { adapter: ChannelAdapter },
): Promise<Collected> {
  const collected: Collected = { changed: 0, accepted: 0, refused: {} };
  for await (const rows of adapter.fetchReport(ctx, span)) {
    const { added, restated, accepted, rejected } = await reportDelivery(ctx, { rows });
    collected.changed += added + restated;
    collected.accepted += accepted;
    for (const { code } of rejected) collected.refused[code] = (collected.refused[code] ?? 0) + 1;
  }
  return collected;
}
