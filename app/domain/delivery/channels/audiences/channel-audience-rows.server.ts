import { and, eq, ne, sql } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { audiences, channelAudiences } from "#db/schema/index.ts";

export type ChannelAudience = typeof channelAudiences.$inferSelect;

/** The lease, in milliseconds: longer than a batch takes. It is renewed with each batch. */
const leaseMs = 180_000;

export function leaseExpiry(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

export function isChannelAudience({ audienceId, channel }: Pick<ChannelAudience, "audienceId" | "channel">) {
  return and(eq(channelAudiences.audienceId, audienceId), eq(channelAudiences.channel, channel));
}

/**
 * Another process has taken over the audience, after this one was paused for longer than its lease, or it was removed.
 */
export class LeaseLostError extends Error {
  override name = "LeaseLostError";
}

/** The condition that the lease of the row is still the one that this process took or renewed last. */
export function holdsLease(row: ChannelAudience) {
  const { leasedUntil } = channelAudiences;
  return and(isChannelAudience(row), sql`${leasedUntil} = ${row.leasedUntil?.toISOString() ?? null}::timestamptz`);
}

/**
 * Stores the result of a sync and releases the lease. A change meanwhile may have made it due earlier, which is kept. A
 * row whose lease was lost stays as it is.
 */
export async function releaseChannelAudience(
  ctx: Ctx,
  row: ChannelAudience,
  { dueAt, ...outcome }: Partial<ChannelAudience> & { dueAt: Date },
): Promise<void> {
  await ctx.db
    .update(channelAudiences)
    .set({
      ...outcome,
      leasedUntil: null,
      dueAt: sql`least(${channelAudiences.dueAt}, ${dueAt.toISOString()}::timestamptz)`,
    })
    .where(holdsLease(row));
}

/**
 * Abandons the uploads of a publisher's audiences that have changed since they began, which are not resumed anyway, so
 * that none keeps the hash of a person who is erased. Runs in the erasure's transaction.
 */
export async function abandonChangedUploads(ctx: Ctx<PublisherActor>): Promise<void> {
  const { audienceId, upload } = channelAudiences;
  await ctx.db
    .update(channelAudiences)
    .set({ upload: sql`${upload} || '{"phase": "abandoned", "after": null}'` })
    .from(audiences)
    .where(
      and(
        eq(audiences.id, audienceId),
        eq(audiences.publisherId, ctx.actor.accountId),
        sql`${upload} ->> 'phase' = 'sending'`,
        ne(sql`(${upload} ->> 'version')::integer`, audiences.version),
      ),
    );
}
