import { and, asc, isNull, lte, or, sql } from "drizzle-orm";
import type { Channel } from "#app/domain/campaigns/campaign.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { backoffMs } from "#app/domain/delivery/channels/activation.ts";
import { type ChannelAdapters, loadChannelAdapters } from "#app/domain/delivery/channels/adapters.server.ts";
import { backOffChannel } from "#app/domain/delivery/channels/back-off-channel.server.ts";
import type { AudienceDestination } from "#app/domain/delivery/channels/channel-adapter.ts";
import { ChannelError } from "#app/domain/delivery/channels/channel-problem.ts";
import { pgArray } from "#db/query-rows.server.ts";
import { channelAudiences } from "#db/schema/index.ts";
import {
  type ChannelAudience,
  isChannelAudience,
  LeaseLostError,
  leaseExpiry,
  releaseChannelAudience,
} from "./channel-audience-rows.server.ts";
import type { ChannelUpload } from "./channel-upload.ts";
import { syncAudience } from "./sync-audience.server.ts";
import { abandon } from "./upload-audience.server.ts";

/** After this time, in milliseconds, a run starts nothing more; the next continues. */
const runTimeMs = 20_000;
const dayMs = 24 * 3_600_000;

/**
 * Syncs the due audiences to the channels: uploads new and changed ones, and removes those that are no longer used. One
 * process syncs an audience at a time. Returns how many were synced.
 */
export async function syncDueAudiences(ctx: Ctx<JobActor>, adapters?: ChannelAdapters): Promise<number> {
  let opened = adapters;
  let settled = 0;
  const backedOff = new Set<Channel>();
  const end = Date.now() + runTimeMs;
  const isOver = () => Date.now() >= end || ctx.stopping?.aborted;
  for (let row = await claimDue(ctx, backedOff); row; row = isOver() ? undefined : await claimDue(ctx, backedOff)) {
    opened ??= await loadChannelAdapters(ctx);
    const { channel } = row;
    const destination = opened.of(channel).audiences;
    // The channel is no longer connected: the audience is checked again tomorrow.
    if (!destination) await releaseChannelAudience(ctx, row, { dueAt: row.dueAt });
    else {
      const error = await settleOne(ctx, { row, destination });
      if (error instanceof ChannelError) await backOffChannel(ctx, channelAudiences, { error, channel, backedOff });
      if (!error) settled += 1;
    }
  }
  return settled;
}

/**
 * Claims an audience that is due, or whose process died. `dueAt` is postponed by a day, so that an earlier `dueAt`
 * shows a change meanwhile.
 */
async function claimDue(ctx: Ctx<JobActor>, backedOff: ReadonlySet<Channel>): Promise<ChannelAudience | undefined> {
  const now = ctx.clock();
  const isFree = or(
    and(isNull(channelAudiences.leasedUntil), lte(channelAudiences.dueAt, now)),
    lte(channelAudiences.leasedUntil, now),
  );
  const isDue = and(isFree, sql`${channelAudiences.channel} <> all(${pgArray(backedOff)}::text[])`);
  const due = ctx.db
    .select({ audienceId: channelAudiences.audienceId, channel: channelAudiences.channel })
    .from(channelAudiences)
    .where(isDue)
    .orderBy(asc(channelAudiences.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await ctx.db
    .update(channelAudiences)
    .set({ leasedUntil: leaseExpiry(now), dueAt: new Date(now.getTime() + dayMs) })
    .where(and(sql`(${channelAudiences.audienceId}, ${channelAudiences.channel}) = (${due})`, isDue))
    .returning();
  return row;
}

/** Reads the upload, which this run may have begun or continued. */
async function readUpload(ctx: Ctx, row: ChannelAudience): Promise<ChannelUpload | null> {
  const columns = { upload: channelAudiences.upload };
  const [current] = await ctx.db.select(columns).from(channelAudiences).where(isChannelAudience(row));
  return current?.upload ?? null;
}

/** Syncs an audience and stores the outcome. Returns the error for which it is not synced. */
async function settleOne(
  ctx: Ctx<JobActor>,
  { row, destination }: { row: ChannelAudience; destination: AudienceDestination },
): Promise<ChannelError | LeaseLostError | undefined> {
  try {
    await syncAudience(ctx, { row, destination });
    return undefined;
  } catch (error) {
    if (error instanceof LeaseLostError) return error;
    if (!(error instanceof ChannelError)) throw error;
    const { problem, message, retryAfterMs = 0 } = error;
    const failures = row.failures + 1;
    const dueAt = new Date(ctx.clock().getTime() + Math.max(backoffMs(failures), retryAfterMs));
    // A missing audience or a rejected upload starts over; anything else is resumed.
    const missingOnChannel = problem === "not_found" && { reference: null, version: null, sentAt: null, consent: null };
    const restartedUpload =
      (problem === "not_found" && { upload: null }) ||
      (problem === "rejected" && { upload: abandon(await readUpload(ctx, row)) });
    await releaseChannelAudience(ctx, row, {
      failures,
      problem,
      lastError: message,
      dueAt,
      ...missingOnChannel,
      ...restartedUpload,
    });
    return error;
  }
}
