import { and, asc, eq, lte, sql } from "drizzle-orm";
import { channelOrders } from "#db/schema/index.ts";
import type { Channel } from "../../campaigns/campaign.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { openAdapters } from "./adapters.server.ts";
import type { ChannelAdapter } from "./channel-adapter.ts";
import { ChannelError } from "./channel-problem.ts";
import { getActivation } from "./get-activation.server.ts";
import { backoffOf, nextOrder } from "./order.ts";

type OrderRow = typeof channelOrders.$inferSelect;

/** In one run, so that a run ends; the next goes on. */
const most = 500;
/** Nor is anything begun after so long, in milliseconds. */
const atATime = 20_000;
/** Longer than a channel takes to answer; then another process may try. */
const leaseMs = 120_000;
const longestWait = 15 * 60_000;

/**
 * Tells the channels what line items want of them: each order once, and again after a failure, later each time. While a
 * channel is asked no lock is held, and an order that changes meanwhile is due again at once. Gives how many were settled.
 */
export async function sendDueOrders(
  ctx: Ctx<JobActor>,
  standsBehind?: (channel: Channel) => ChannelAdapter,
): Promise<number> {
  let adapterOf = standsBehind;
  let settled = 0;
  const end = Date.now() + atATime;
  for (let count = 0; count < most && Date.now() < end; count += 1) {
    const order = await takeDueOrder(ctx);
    if (!order) break;
    adapterOf ??= (await openAdapters(ctx)).of;
    settled += await sendOrder(ctx, { order, adapter: adapterOf(order.channel) });
  }
  return settled;
}

async function takeDueOrder(ctx: Ctx<JobActor>): Promise<OrderRow | undefined> {
  const now = ctx.clock();
  const due = ctx.db
    .select({ lineItemId: channelOrders.lineItemId, channel: channelOrders.channel })
    .from(channelOrders)
    .where(lte(channelOrders.dueAt, now))
    .orderBy(asc(channelOrders.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [order] = await ctx.db
    .update(channelOrders)
    .set({ dueAt: new Date(now.getTime() + leaseMs) })
    .where(and(sql`(${channelOrders.lineItemId}, ${channelOrders.channel}) = (${due})`, lte(channelOrders.dueAt, now)))
    .returning();
  return order;
}

async function sendOrder(
  ctx: Ctx<JobActor>,
  { order, adapter }: { order: OrderRow; adapter: ChannelAdapter },
): Promise<number> {
  try {
    const confirmed = await tell(ctx, { order, adapter });
    await settle(ctx, order, { ...confirmed, failures: 0, problem: null, lastError: null, dueAt: null });
    return 1;
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    const { problem, message: lastError, retryAfterMs = 0 } = error;
    const failures = order.failures + 1;
    // What others do is looked for more often than what failed.
    const wait = problem === "waiting" ? Math.min(backoffOf(failures), longestWait) : backoffOf(failures);
    const dueAt = new Date(ctx.clock().getTime() + Math.max(wait, retryAfterMs));
    await settle(ctx, order, { failures, problem, lastError, dueAt });
    return 0;
  }
}

/** What the channel confirmed; nothing when it does what is wanted already. */
async function tell(
  ctx: Ctx<JobActor>,
  { order, adapter }: { order: OrderRow; adapter: ChannelAdapter },
): Promise<Partial<OrderRow>> {
  const { lineItemId, channel, wantedVersion: version, reference } = order;
  switch (nextOrder(order)) {
    case null:
      return {};
    case "pause":
      await adapter.pause(ctx, { lineItemId, channel, reference: reference ?? "" });
      return { state: "paused" };
    case "activate":
      return { state: "active", version, ...(await adapter.activate(ctx, await getActivation(ctx, order))) };
    case "change": {
      const activation = { ...(await getActivation(ctx, order)), reference: reference ?? "" };
      return { state: "active", version, ...(await adapter.change(ctx, activation)) };
    }
  }
}

/** What was confirmed is kept in any case; when it is due again belongs to who changed the order meanwhile. */
async function settle(
  ctx: Ctx<JobActor>,
  order: OrderRow,
  { failures, problem, lastError, dueAt, ...confirmed }: Partial<OrderRow>,
): Promise<void> {
  const same = sql`${channelOrders.wanted} = ${order.wanted} and ${channelOrders.wantedVersion} = ${order.wantedVersion}`;
  await ctx.db
    .update(channelOrders)
    .set({
      ...confirmed,
      problem,
      lastError,
      failures: sql`case when ${same} then ${failures ?? 0}::int else ${channelOrders.failures} end`,
      dueAt: sql`case when ${same} then ${dueAt?.toISOString() ?? null}::timestamptz else ${channelOrders.dueAt} end`,
    })
    .where(and(eq(channelOrders.lineItemId, order.lineItemId), eq(channelOrders.channel, order.channel)));
}
