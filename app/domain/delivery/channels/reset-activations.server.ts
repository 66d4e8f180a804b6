import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import { channelActivations } from "#db/schema/index.ts";
import type { ConnectableChannel } from "./connectable.ts";

/** Resets the activations of a channel after its platform changed, because the new one has none of them. */
export async function resetActivations(ctx: Ctx, channel: ConnectableChannel): Promise<void> {
  const now = ctx.clock().toISOString();
  const initialState = {
    confirmedState: null,
    confirmedVersion: null,
    reference: null,
    failures: 0,
    problem: null,
    lastError: null,
    leasedUntil: null,
  };
  await ctx.db
    .update(channelActivations)
    .set({
      ...initialState,
      dueAt: sql`case when ${channelActivations.desiredState} = 'active' then ${now}::timestamptz end`,
    })
    .where(eq(channelActivations.channel, channel));
}
