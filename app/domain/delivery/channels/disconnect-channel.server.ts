import { and, eq, isNotNull, or } from "drizzle-orm";
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
 * deleted on the channel first; if that fails, the channel stays connected. `leaveRemote` leaves everything on the
 * channel for others to delete. Throws `not_found`, and `invalid_transition` with the channel's problem.
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

async function removeFromChannel(ctx: Ctx<OperatorActor>, channel: ConnectableChannel): Promise<void> {
  const adapter = (await loadChannelAdapters(ctx)).of(channel);
  // A request that failed, or has no outcome yet, may have started campaigns too.
  const mayRun = or(
    eq(channelActivations.confirmedState, "active"),
    isNotNull(channelActivations.problem),
    isNotNull(channelActivations.leasedUntil),
  );
  const activations = await ctx.db
    .select()
    .from(channelActivations)
    .where(and(eq(channelActivations.channel, channel), mayRun));
  const remoteAudiences = await ctx.db
    .select()
    .from(channelAudiences)
    .where(and(eq(channelAudiences.channel, channel), isNotNull(channelAudiences.reference)));
  try {
    for (const { lineItemId, reference } of activations)
      await adapter.pause(ctx, { lineItemId, channel, reference: reference ?? "" });
    for (const row of remoteAudiences) {
      await adapter.audiences?.remove(row.reference ?? "");
      await ctx.db.delete(channelAudiences).where(isChannelAudience(row));
    }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    throw new DomainError(
      "invalid_transition",
      `${error.message}. Use --leave to disconnect without removing anything from the channel.`,
    );
  }
}
