import { and, eq, isNotNull } from "drizzle-orm";
import { channelAudiences, channelConnections, channelOrders } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.server.ts";
import { openAdapters } from "./adapters.server.ts";
import { isRow } from "./channel-audience-rows.server.ts";
import { ChannelError } from "./channel-problem.ts";
import type { ConnectableChannel } from "./connectable.ts";
import { tellAnew } from "./tell-anew.server.ts";

/**
 * Takes a channel's account away; the sandbox stands behind it again. What runs there is paused and the audiences are deleted
 * there first: when that fails, it stays connected. `leave` leaves all of it as it is, and for others to delete.
 * Throws `not_found`, and `invalid_transition` with what the channel said.
 */
export async function disconnectChannel(
  ctx: Ctx<OperatorActor>,
  { channel, leave }: { channel: ConnectableChannel; leave: boolean },
): Promise<void> {
  const [row] = await ctx.db.select().from(channelConnections).where(eq(channelConnections.channel, channel));
  if (!row) throw notFound("Connection");
  if (!leave) await clearAway(ctx, channel);
  await inTransaction(ctx, async (tx) => {
    const gone = await tx.db.delete(channelConnections).where(eq(channelConnections.id, row.id)).returning();
    // By another hand in the meantime, which did the rest too.
    if (gone.length === 0) return;
    await tx.db.delete(channelAudiences).where(eq(channelAudiences.channel, channel));
    await tellAnew(tx, channel);
    await recordAudit(tx, {
      action: "channel.disconnected",
      entity: "connection",
      entityId: row.id,
      before: { channel, account: row.account },
    });
  });
}

async function clearAway(ctx: Ctx<OperatorActor>, channel: ConnectableChannel): Promise<void> {
  const adapter = (await openAdapters(ctx)).of(channel);
  const orders = await ctx.db
    .select()
    .from(channelOrders)
    .where(and(eq(channelOrders.channel, channel), eq(channelOrders.state, "active")));
  const there = await ctx.db
    .select()
    .from(channelAudiences)
    .where(and(eq(channelAudiences.channel, channel), isNotNull(channelAudiences.reference)));
  try {
    for (const { lineItemId, reference } of orders)
      await adapter.pause(ctx, { lineItemId, channel, reference: reference ?? "" });
    for (const row of there) {
      await adapter.audiences?.remove(row.reference ?? "");
      await ctx.db.delete(channelAudiences).where(isRow(row));
    }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    throw new DomainError("invalid_transition", `${error.message}. With --leave, what is there stays there.`);
  }
}
