import { eq, sql } from "drizzle-orm";
import { channelOrders } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { ConnectableChannel } from "./connectable.ts";

/** Something else stands behind a channel now, which was told of nothing yet. */
export async function tellAnew(ctx: Ctx, channel: ConnectableChannel): Promise<void> {
  const now = ctx.clock().toISOString();
  const nothing = { state: null, version: null, reference: null, failures: 0, problem: null, lastError: null };
  await ctx.db
    .update(channelOrders)
    .set({ ...nothing, dueAt: sql`case when ${channelOrders.wanted} = 'active' then ${now}::timestamptz end` })
    .where(eq(channelOrders.channel, channel));
}
