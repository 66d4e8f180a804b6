import { and, eq, sql } from "drizzle-orm";
import { channelAudiences } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";

export type ChannelAudience = typeof channelAudiences.$inferSelect;

/** Longer than a batch takes; it is renewed with each. */
const leaseMs = 180_000;

export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

export function isRow({ audienceId, channel }: Pick<ChannelAudience, "audienceId" | "channel">) {
  return and(eq(channelAudiences.audienceId, audienceId), eq(channelAudiences.channel, channel));
}

/** What came of the work on it, which is over. When it is due again is no later than what changed meanwhile wants it. */
export async function letGo(
  ctx: Ctx,
  row: ChannelAudience,
  { dueAt, ...outcome }: Partial<ChannelAudience> & { dueAt: Date },
): Promise<void> {
  await ctx.db
    .update(channelAudiences)
    .set({
      ...outcome,
      busyUntil: null,
      dueAt: sql`least(${channelAudiences.dueAt}, ${dueAt.toISOString()}::timestamptz)`,
    })
    .where(isRow(row));
}
