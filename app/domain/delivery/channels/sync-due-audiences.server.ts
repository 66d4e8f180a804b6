import { and, asc, isNull, lte, or, sql } from "drizzle-orm";
import { channelAudiences } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { type Adapters, openAdapters } from "./adapters.server.ts";
import type { AudienceDestination } from "./channel-adapter.ts";
import { type ChannelAudience, leaseFrom, letGo } from "./channel-audience-rows.server.ts";
import { ChannelError } from "./channel-problem.ts";
import { backoffOf } from "./order.ts";
import { syncAudience } from "./sync-audience.server.ts";

/** A run begins nothing more after so long, in milliseconds; the next goes on. */
const atATime = 20_000;
const dayMs = 24 * 3_600_000;

/**
 * Keeps the audiences at the channels in step: brings what was asked for and what changed, takes away what nobody uses any
 * more. One process works on one of them at a time. Gives how many were settled.
 */
export async function syncDueAudiences(ctx: Ctx<JobActor>, adapters?: Adapters): Promise<number> {
  let opened = adapters;
  let settled = 0;
  const end = Date.now() + atATime;
  for (let row = await takeDue(ctx); row; row = Date.now() < end ? await takeDue(ctx) : undefined) {
    opened ??= await openAdapters(ctx);
    const destination = opened.of(row.channel).audiences;
    // Not connected any more: it is looked at again tomorrow.
    if (destination) settled += await settleOne(ctx, { row, destination });
    else await letGo(ctx, row, { dueAt: row.dueAt });
  }
  return settled;
}

/** One that is due, or whose process died. That it changed meanwhile is seen from its `dueAt`, which is put off for a day. */
async function takeDue(ctx: Ctx<JobActor>): Promise<ChannelAudience | undefined> {
  const now = ctx.clock();
  const isDue = or(
    and(isNull(channelAudiences.busyUntil), lte(channelAudiences.dueAt, now)),
    lte(channelAudiences.busyUntil, now),
  );
  const due = ctx.db
    .select({ audienceId: channelAudiences.audienceId, channel: channelAudiences.channel })
    .from(channelAudiences)
    .where(isDue)
    .orderBy(asc(channelAudiences.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await ctx.db
    .update(channelAudiences)
    .set({ busyUntil: leaseFrom(now), dueAt: new Date(now.getTime() + dayMs) })
    .where(and(sql`(${channelAudiences.audienceId}, ${channelAudiences.channel}) = (${due})`, isDue))
    .returning();
  return row;
}

async function settleOne(
  ctx: Ctx<JobActor>,
  { row, destination }: { row: ChannelAudience; destination: AudienceDestination },
): Promise<number> {
  try {
    await syncAudience(ctx, { row, destination });
    return 1;
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    const { problem, message, retryAfterMs = 0 } = error;
    const failures = row.failures + 1;
    const dueAt = new Date(ctx.clock().getTime() + Math.max(backoffOf(failures), retryAfterMs));
    // What was made there is gone, or did not like what it got: from the start then. Anything else is gone on with.
    const gone = problem === "missing" && { reference: null, version: null, sentAt: null };
    const anew = (problem === "missing" || problem === "rejected") && { upload: null };
    await letGo(ctx, row, { failures, problem, lastError: message, dueAt, ...gone, ...anew });
    return 0;
  }
}
