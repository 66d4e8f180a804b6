import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import { channelActivations } from "#db/schema/index.ts";
import type { ConnectableChannel } from "./connectable.ts";

/** The lease of what a removal from the channel has paused and not finished: no clock reaches it. */
export const unfinishedRemoval = new Date("9999-12-31T00:00:00Z");

/** Starts what an unfinished removal has paused on a channel, after its account is connected again. */
export async function endUnfinishedRemoval(ctx: Ctx, channel: ConnectableChannel): Promise<void> {
  await ctx.db
    .update(channelActivations)
    .set({ leasedUntil: null, dueAt: ctx.clock() })
    .where(and(eq(channelActivations.channel, channel), eq(channelActivations.leasedUntil, unfinishedRemoval)));
}

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
