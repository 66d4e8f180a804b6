import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import { channelActivations, channelAudiences, channelConnections } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.server.ts";
import { loadChannelAdapters } from "./adapters.server.ts";
import { isChannelAudience } from "./audiences/channel-audience-rows.server.ts";
import { ChannelError } from "./channel-problem.ts";
import type { ConnectableChannel } from "./connectable.ts";
import { resetActivations } from "./reset-activations.server.ts";

/**
 * Disconnects a channel's account; the channel uses the sandbox again. Running campaigns are paused and audiences
 * deleted on the channel first; if that fails, the channel stays connected, and they are restored there. `leaveRemote`
 * leaves everything on the channel for others to delete. Throws `not_found`, and `invalid_transition` with the channel's
 * problem.
 */
export async function disconnectChannel(
  ctx: Ctx<OperatorActor>,
  { channel, leaveRemote }: { channel: ConnectableChannel; leaveRemote: boolean },
): Promise<void> {
  const [row] = await ctx.db.select().from(channelConnections).where(eq(channelConnections.channel, channel));
  if (!row) throw notFound("Channel connection");
  if (!leaveRemote) await removeFromChannel(ctx, channel);
  await inTransaction(ctx, async (tx) => {
    const deleted = await tx.db.delete(channelConnections).where(eq(channelConnections.id, row.id)).returning();
    // Another process disconnected it first and did the rest.
    if (deleted.length === 0) return;
    await tx.db.delete(channelAudiences).where(eq(channelAudiences.channel, channel));
    await resetActivations(tx, channel);
    await recordAudit(tx, {
      action: "channel.disconnected",
      entity: "connection",
      entityId: row.id,
      before: { channel, account: row.account },
    });
  });
}

/**
 * How long other processes leave a channel alone whose campaigns and audiences are removed, in milliseconds: what they sent
 * there after the removal would stay. When the command is interrupted, they start the campaigns again after this time.
 */
const removalMs = 30 * 60_000;

async function removeFromChannel(ctx: Ctx<OperatorActor>, channel: ConnectableChannel): Promise<void> {
  const adapter = (await loadChannelAdapters(ctx)).of(channel);
  const leasedUntil = new Date(ctx.clock().getTime() + removalMs);
  // A request that failed, or has no outcome yet, may have started campaigns too.
  const mayRun = or(
    eq(channelActivations.desiredState, "active"),
    eq(channelActivations.confirmedState, "active"),
    isNotNull(channelActivations.problem),
    isNotNull(channelActivations.leasedUntil),
  );
  const activations = await ctx.db
    .update(channelActivations)
    .set({ leasedUntil, dueAt: leasedUntil })
    .where(and(eq(channelActivations.channel, channel), mayRun))
    .returning();
  const synced = await ctx.db
    .update(channelAudiences)
    .set({ leasedUntil })
    .where(eq(channelAudiences.channel, channel))
    .returning();
  try {
    for (const { lineItemId, reference } of activations)
      await adapter.pause(ctx, { lineItemId, channel, reference: reference ?? "" });
    for (const row of synced) {
      if (row.reference) await adapter.audiences?.remove(row.reference);
      await ctx.db.delete(channelAudiences).where(isChannelAudience(row));
    }
  } catch (error) {
    await startAgain(ctx, { channel, leasedUntil });
    if (!(error instanceof ChannelError)) throw error;
    throw new DomainError(
      "invalid_transition",
      `${error.message}. The channel stays connected, and what was removed is restored there. Use --leave to disconnect without removing anything from the channel.`,
    );
  }
}

/** Ends the leases, and makes due what was paused on the channel: it is confirmed as running, and audiences are missing. */
async function startAgain(
  ctx: Ctx,
  { channel, leasedUntil }: { channel: ConnectableChannel; leasedUntil: Date },
): Promise<void> {
  await ctx.db
    .update(channelActivations)
    .set({
      leasedUntil: null,
      dueAt: ctx.clock(),
      problem: sql`coalesce(${channelActivations.problem}, 'unreachable')`,
    })
    .where(and(eq(channelActivations.channel, channel), eq(channelActivations.leasedUntil, leasedUntil)));
  await ctx.db
    .update(channelAudiences)
    .set({ leasedUntil: null })
    .where(and(eq(channelAudiences.channel, channel), eq(channelAudiences.leasedUntil, leasedUntil)));
}
