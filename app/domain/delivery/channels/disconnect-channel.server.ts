import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { channelActivations, channelAudiences, channelConnections } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { LineItemId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { loadChannelAdapters } from "./adapters.server.ts";
import { isChannelAudience } from "./audiences/channel-audience-rows.server.ts";
import { ChannelError } from "./channel-problem.ts";
import type { ConnectableChannel } from "./connectable.ts";
import { resetActivations, unfinishedRemoval } from "./reset-activations.server.ts";

/**
 * Disconnects a channel's account; the channel uses the sandbox again. Running campaigns are paused and audiences
 * deleted on the channel first. If that fails, the channel stays connected: what was paused runs on there, or once an
 * audience is deleted stays paused. `leaveRemote` leaves everything on the channel for others to delete. Throws
 * `not_found`, and `invalid_transition` with the channel's problem.
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

/** Leaves what is removed from a channel to this process: what others sent there after the removal would stay. */
type Removal = { channel: ConnectableChannel; leasedUntil: Date; hasDeletedAudience: boolean };

/**
 * The lease of what is removed, in milliseconds. It is renewed meanwhile; when the command is interrupted, other
 * processes start the campaigns again after it.
 */
const leaseMs = 30 * 60_000;

async function removeFromChannel(ctx: Ctx<OperatorActor>, channel: ConnectableChannel): Promise<void> {
  const adapter = (await loadChannelAdapters(ctx)).of(channel);
  const removal = { channel, leasedUntil: leaseExpiry(ctx), hasDeletedAudience: false };
  try {
    // What begins meanwhile, such as a line item that is approved, is found in the next round.
    for (let round = 1; ; round += 1) {
      const { activations, audiences } = await leaseAll(ctx, removal, { isFirst: round === 1 });
      if (activations.length + audiences.length === 0) return;
      for (const { lineItemId, reference } of activations) {
        await renewLeases(ctx, removal);
        await adapter.pause(ctx, { lineItemId, channel, reference: reference ?? "" });
        await confirmPause(ctx, { lineItemId, channel });
      }
      for (const row of audiences) {
        await renewLeases(ctx, removal);
        if (row.reference) {
          removal.hasDeletedAudience = true;
          await adapter.audiences?.remove(row.reference);
        }
        await ctx.db.delete(channelAudiences).where(isChannelAudience(row));
      }
    }
  } catch (error) {
    if (removal.hasDeletedAudience) await holdPaused(ctx, removal);
    await resumeChannel(ctx, removal);
    if (!(error instanceof ChannelError)) throw error;
    const state = removal.hasDeletedAudience
      ? "and its campaigns stay paused, because audiences that they target are deleted there. Disconnect it again to go on, or connect it again to start its campaigns"
      : "and its campaigns run on";
    throw new DomainError(
      "invalid_transition",
      `${error.message}. The channel stays connected, ${state}. Use --leave to disconnect without removing anything from the channel.`,
    );
  }
}

/** Records that a campaign is paused on the channel, so that it is started there if the removal fails. */
async function confirmPause(
  ctx: Ctx,
  { lineItemId, channel }: { lineItemId: LineItemId; channel: ConnectableChannel },
): Promise<void> {
  const { confirmedVersion, desiredVersion, reference } = channelActivations;
  await ctx.db
    .update(channelActivations)
    .set({
      confirmedState: "paused",
      confirmedVersion: sql`coalesce(${confirmedVersion}, ${desiredVersion})`,
      reference: sql`coalesce(${reference}, '')`,
    })
    .where(and(eq(channelActivations.lineItemId, lineItemId), eq(channelActivations.channel, channel)));
}

function leaseExpiry(ctx: Ctx): Date {
  return new Date(ctx.clock().getTime() + leaseMs);
}

/**
 * Leases what may run or be stored on the channel: at first all of it, also what another process works on, and then
 * what no removal has leased yet, whose leases are the longest.
 */
async function leaseAll(ctx: Ctx, { channel, leasedUntil }: Removal, { isFirst }: { isFirst: boolean }) {
  const soon = new Date(ctx.clock().getTime() + leaseMs / 3);
  const isLeft = (column: AnyPgColumn) => (isFirst ? undefined : or(isNull(column), lt(column, soon)));
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
    .where(and(eq(channelActivations.channel, channel), mayRun, isLeft(channelActivations.leasedUntil)))
    .returning();
  // An audience that another process was uploading is due when the lease ends: that process has lost it.
  const dueAt = sql`case when ${channelAudiences.leasedUntil} is null then ${channelAudiences.dueAt} else ${ctx.clock().toISOString()}::timestamptz end`;
  const audiences = await ctx.db
    .update(channelAudiences)
    .set({ leasedUntil, dueAt })
    .where(and(eq(channelAudiences.channel, channel), isLeft(channelAudiences.leasedUntil)))
    .returning();
  return { activations, audiences };
}

/** Renews the leases when half of their time has passed. */
async function renewLeases(ctx: Ctx, removal: Removal): Promise<void> {
  const { channel, leasedUntil } = removal;
  if (leasedUntil.getTime() - ctx.clock().getTime() > leaseMs / 2) return;
  removal.leasedUntil = leaseExpiry(ctx);
  for (const table of [channelActivations, channelAudiences])
    await ctx.db
      .update(table)
      .set({ leasedUntil: removal.leasedUntil })
      .where(and(eq(table.channel, channel), eq(table.leasedUntil, leasedUntil)));
}

/**
 * Keeps what is paused on the channel so until the removal is finished, or the account is connected again: its ad
 * groups target audiences that are deleted there, and new ones with the same people do not take their place.
 */
async function holdPaused(ctx: Ctx, { channel, leasedUntil }: Removal): Promise<void> {
  await ctx.db
    .update(channelActivations)
    .set({
      leasedUntil: unfinishedRemoval,
      dueAt: null,
      failures: 1,
      problem: "waiting",
      lastError: `The removal from the channel is not finished: run npm run channels -- disconnect ${channel} again`,
    })
    .where(
      and(
        eq(channelActivations.channel, channel),
        eq(channelActivations.leasedUntil, leasedUntil),
        eq(channelActivations.confirmedState, "paused"),
      ),
    );
}

/** Ends the leases, and makes due what was paused on the channel, or may not be. */
async function resumeChannel(ctx: Ctx, { channel, leasedUntil }: Removal): Promise<void> {
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
