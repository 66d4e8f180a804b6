import { and, asc, eq, isNull, lte, or, sql } from "drizzle-orm";
import { addDays } from "#app/domain/calendar-date.ts";
import type { Channel } from "#app/domain/campaigns/campaign.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { instantOfLocalHour } from "#app/domain/time-zone.ts";
import { pgArray } from "#db/query-rows.server.ts";
import { campaignVersions, channelActivations, channelConnections, lineItems } from "#db/schema/index.ts";
import { backoffMs, nextActivationStep } from "./activation.ts";
import { loadChannelAdapters } from "./adapters.server.ts";
import { backOffChannel } from "./back-off-channel.server.ts";
import type { ActivationResult, ChannelAdapter } from "./channel-adapter.ts";
import { ChannelError } from "./channel-problem.ts";
import { connectableChannels } from "./connectable.ts";
import { getActivationSpec } from "./get-activation-spec.server.ts";

type OrderRow = typeof channelActivations.$inferSelect;

/** In one run, so that a run ends; the next goes on. */
const maxActivations = 500;
/** After this time, in milliseconds, a run starts nothing more. */
const runTimeMs = 20_000;
/**
 * The lease, in milliseconds: longer than a channel takes to respond. Until it expires no other process sends the
 * activation, also when it changes; after it another process may try.
 */
const leaseMs = 120_000;
const maxWaitMs = 15 * 60_000;

/**
 * Sends the due activations to the channels, each once, with backoff after failures. No lock is held during a request,
 * and an activation that changes meanwhile is due again at once. Returns how many were sent.
 */
export async function sendDueActivations(
  ctx: Ctx<JobActor>,
  getAdapter?: (channel: Channel) => ChannelAdapter,
): Promise<number> {
  let adapterOf = getAdapter;
  let settled = 0;
  const backedOff = new Set<Channel>();
  const end = Date.now() + runTimeMs;
  for (let count = 0; count < maxActivations && Date.now() < end && !ctx.stopping?.aborted; count += 1) {
    const order = await claimDueActivation(ctx, backedOff);
    if (!order) break;
    const { channel } = order;
    adapterOf ??= (await loadChannelAdapters(ctx)).of;
    const error = await sendOrder(ctx, { order, adapter: adapterOf(channel) });
    if (error) await backOffChannel(ctx, channelActivations, { error, channel, backedOff });
    else settled += 1;
  }
  return settled;
}

/**
 * Claims an activation that is due. A lease that expired is that of a request without an outcome, which counts as a
 * failed one: it may have had an effect. The servers of the version before see only `dueAt`, so it is postponed too.
 */
async function claimDueActivation(ctx: Ctx<JobActor>, backedOff: ReadonlySet<Channel>): Promise<OrderRow | undefined> {
  const now = ctx.clock();
  const { leasedUntil, problem } = channelActivations;
  const isDue = and(
    lte(channelActivations.dueAt, now),
    or(isNull(leasedUntil), lte(leasedUntil, now)),
    sql`${channelActivations.channel} <> all(${pgArray(backedOff)}::text[])`,
  );
  const leaseEnd = new Date(now.getTime() + leaseMs);
  const due = ctx.db
    .select({ lineItemId: channelActivations.lineItemId, channel: channelActivations.channel })
    .from(channelActivations)
    .where(isDue)
    .orderBy(asc(channelActivations.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [order] = await ctx.db
    .update(channelActivations)
    .set({
      dueAt: leaseEnd,
      leasedUntil: leaseEnd,
      problem: sql`case when ${leasedUntil} is null then ${problem} else coalesce(${problem}, 'unreachable') end`,
    })
    .where(and(sql`(${channelActivations.lineItemId}, ${channelActivations.channel}) = (${due})`, isDue))
    .returning();
  return order;
}

/** Sends an activation and stores the outcome. Returns the error of a request that failed. */
async function sendOrder(
  ctx: Ctx<JobActor>,
  { order, adapter }: { order: OrderRow; adapter: ChannelAdapter },
): Promise<ChannelError | undefined> {
  try {
    const { held, ...confirmed } = await requestStep(ctx, { order, adapter });
    const waits = held?.waitsFor ? new ChannelError(held.waitsFor, { problem: "waiting" }) : undefined;
    await settle(ctx, order, {
      ...confirmed,
      ...(held && { confirmedState: "paused" }),
      ...(waits ? await toFailedState(ctx, order, waits) : succeeded),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    await settle(ctx, order, await toFailedState(ctx, order, error));
    return error;
  }
}

const succeeded = { failures: 0, problem: null, lastError: null, dueAt: null };

async function toFailedState(
  ctx: Ctx,
  order: OrderRow,
  { problem, message: lastError, retryAfterMs = 0 }: ChannelError,
): Promise<Partial<OrderRow>> {
  const now = ctx.clock().getTime();
  const failures = order.failures + 1;
  // An activation that waits for someone's action is checked more often than a failed one.
  const wait = problem === "waiting" ? Math.min(backoffMs(failures), maxWaitMs) : backoffMs(failures);
  const due = Math.min(now + wait, await findFlightEdge(ctx, order));
  return { failures, problem, lastError, dueAt: new Date(Math.max(due, now + retryAfterMs)) };
}

/**
 * Returns the next moment, in milliseconds since 1970, at which the flight begins or ends in the time zone of the
 * channel's account: a campaign must not run past its flight because its last request failed hours before. Infinity
 * when there is none.
 */
async function findFlightEdge(ctx: Ctx, { lineItemId, channel, desiredVersion }: OrderRow): Promise<number> {
  const connectable = connectableChannels.find((one) => one === channel);
  if (!connectable) return Number.POSITIVE_INFINITY;
  const [flight] = await ctx.db
    .select({
      startDate: campaignVersions.startDate,
      endDate: campaignVersions.endDate,
      zone: channelConnections.timeZone,
    })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, desiredVersion)),
    )
    .innerJoin(channelConnections, eq(channelConnections.channel, connectable))
    .where(eq(lineItems.id, lineItemId));
  if (!flight) return Number.POSITIVE_INFINITY;
  const { startDate, endDate, zone } = flight;
  const firstDays = [startDate, endDate && addDays(endDate, 1)].filter((date) => date !== null);
  const edges = firstDays.map((date) => instantOfLocalHour({ date, hour: 0 }, zone).getTime());
  return Math.min(...edges.filter((at) => at > ctx.clock().getTime()));
}

/** What the channel confirmed; nothing when it does what is wanted already. */
async function requestStep(
  ctx: Ctx<JobActor>,
  { order, adapter }: { order: OrderRow; adapter: ChannelAdapter },
): Promise<Partial<OrderRow> & Pick<ActivationResult, "held">> {
  const { lineItemId, channel, desiredVersion: version, reference } = order;
  const runsAsWanted = order.desiredState === "active" && adapter.holdsIneligible ? "activate" : null;
  switch (nextActivationStep(order) ?? runsAsWanted) {
    case null:
      return {};
    case "pause":
      await adapter.pause(ctx, { lineItemId, channel, reference: reference ?? "" });
      // A channel that confirmed nothing before has no reference; the line item identifies what it paused.
      return {
        confirmedState: "paused",
        confirmedVersion: order.confirmedVersion ?? version,
        reference: reference ?? "",
      };
    case "activate":
      return {
        confirmedState: "active",
        confirmedVersion: version,
        ...(await adapter.activate(ctx, await getActivationSpec(ctx, order))),
      };
    case "change": {
      const activation = { ...(await getActivationSpec(ctx, order)), reference: reference ?? "" };
      return { confirmedState: "active", confirmedVersion: version, ...(await adapter.update(ctx, activation)) };
    }
  }
}

/**
 * Stores the confirmed state and ends the lease. If the activation changed meanwhile, its due time is kept; and where a
 * process of the version before found nothing to do, because this request was not confirmed yet, it is due again. A
 * request that took longer than its lease counts as failed, since its order among others at the channel is unknown.
 */
async function settle(
  ctx: Ctx<JobActor>,
  order: OrderRow,
  { failures, problem, lastError, dueAt, ...confirmed }: Partial<OrderRow>,
): Promise<void> {
  const now = ctx.clock().toISOString();
  const same = sql`${channelActivations.desiredState} = ${order.desiredState} and ${channelActivations.desiredVersion} = ${order.desiredVersion}`;
  const dueNow = sql`coalesce(${channelActivations.dueAt}, ${now}::timestamptz)`;
  const isOrder = and(
    eq(channelActivations.lineItemId, order.lineItemId),
    eq(channelActivations.channel, order.channel),
  );
  const settled = await ctx.db
    .update(channelActivations)
    .set({
      ...confirmed,
      problem,
      lastError,
      leasedUntil: null,
      failures: sql`case when ${same} then ${failures ?? 0}::int else ${channelActivations.failures} end`,
      dueAt: sql`case when ${same} then ${dueAt?.toISOString() ?? null}::timestamptz else ${dueNow} end`,
    })
    .where(and(isOrder, sql`${channelActivations.leasedUntil} = ${order.leasedUntil?.toISOString()}::timestamptz`))
    .returning({ lineItemId: channelActivations.lineItemId });
  if (settled.length > 0) return;
  const unordered = sql`coalesce(${channelActivations.problem}, 'unreachable')`;
  await ctx.db.update(channelActivations).set({ problem: unordered, dueAt: dueNow }).where(isOrder);
}
