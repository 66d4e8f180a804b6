import type { Ctx, JobActor } from "../context.ts";
import { channelAdapters } from "./channels/adapters.server.ts";
import { reportDelivery } from "./report-delivery.server.ts";

/** Asks every channel what it delivered in the span, and takes it in. Gives how many facts are new or restated. */
export async function collectReports(ctx: Ctx<JobActor>, span: { from: Date; until: Date }): Promise<number> {
  let changed = 0;
  for (const adapter of channelAdapters()) {
    for await (const rows of adapter.fetchReport(ctx, span)) {
      const { added, restated } = await reportDelivery(ctx, { rows });
      changed += added + restated;
    }
  }
  return changed;
}
