import { and, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { localDateOf } from "#app/domain/time-zone.ts";
import { audiences, channelAudiences } from "#db/schema/index.ts";
import { minimumAudienceSize } from "../../audiences/audience.ts";
import { addDays, type CalendarDate } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import type { DeliveryRow, RowRejection } from "../delivery-row.ts";
import type { ActivationResult, ActivationSpec, ChannelAdapter } from "./channel-adapter.ts";
import { ChannelError } from "./channel-problem.ts";
import { type ConnectableChannel, connectableLabels } from "./connectable.ts";
import { findDeniedAudiences } from "./denied-audiences.server.ts";
import { mapPlatformRows } from "./map-platform-rows.server.ts";
import type { Platform, PlatformRow } from "./platform.ts";
import { campaignTag } from "./platform-tag.ts";

/** How many past days are collected again, because platforms restate them. */
const restatedDays = 7;

/**
 * The adapter of a channel with a connected platform. We sync the audiences, read the reports, and start and pause
 * campaigns, which a trafficker creates and names with our tag (docs/operations.md, Channels).
 */
export function connectedChannel(platform: Platform, { timeZone }: { timeZone: string }): ChannelAdapter {
  const { channel } = platform;
  const label = connectableLabels[channel];
  const source = reportSourceName(channel);

  async function activate(ctx: Ctx<JobActor>, activation: ActivationSpec): Promise<ActivationResult> {
    const { lineItemId, version } = activation;
    const remoteCampaigns = await platform.findCampaigns(lineItemId);
    const ready = remoteCampaigns.filter((campaign) => campaign.version === version);
    const missing =
      ready.length === 0 ? `No ${label} campaign name contains ${campaignTag(lineItemId, version)} yet` : undefined;
    const waitsFor = (await findMissingAudiences(ctx, { ...activation, platform })) ?? missing ?? null;
    const { eligible } = activation.eligibilityOn(localDateOf(ctx.clock(), timeZone));
    if (eligible && waitsFor !== null) throw new ChannelError(waitsFor, { problem: "waiting" });
    // Campaigns of other versions are paused first, so that two versions never run together.
    for (const one of remoteCampaigns)
      if (one.running && !(eligible && one.version === version)) await platform.setRunning(one.id, false);
    const reference = ready.map(({ id }) => id).join(" ");
    if (!eligible) return { reference, held: { waitsFor } };
    for (const one of ready) if (!one.running) await platform.setRunning(one.id, true);
    return { reference };
  }

  return {
    source,
    everyHours: 6,
    holdsIneligible: true,
    activate,
    update: activate,
    pause: async (ctx, { lineItemId }) => {
      const remoteCampaigns = await platform.findCampaigns(lineItemId);
      for (const { id, running } of remoteCampaigns) if (running) await platform.setRunning(id, false);
      // Its audiences may no longer be in use: they are due for a sync.
      await ctx.db.execute(sql`
        update channel_audiences there set due_at = least(there.due_at, ${ctx.clock().toISOString()}::timestamptz)
        from line_items item join version_audiences chosen on chosen.campaign_id = item.campaign_id and chosen.publisher_id = item.publisher_id
        where item.id = ${lineItemId} and there.audience_id = chosen.audience_id and there.channel = ${channel}`);
    },
    async *fetchReport(ctx, { from, until }) {
      const last = addDays(localDateOf(until, timeZone), -1);
      for (let day = addDays(localDateOf(from, timeZone), -restatedDays); day <= last; day = addDays(day, 1)) {
        yield await readDay(ctx, { platform, day, source });
      }
    },
    audiences: platform.audiences,
  };
}

/** Returns the source name of a platform's reports. */
export function reportSourceName(channel: ConnectableChannel): string {
  return `${channel}-ads`;
}

/** Reads all pages of a day before mapping: the ad groups of an audience may be on any page. */
async function readDay(
  ctx: Ctx,
  { platform, day, source }: { platform: Platform; day: CalendarDate; source: string },
): Promise<(DeliveryRow | RowRejection)[]> {
  const rows: PlatformRow[] = [];
  for await (const page of platform.readDay(day)) rows.push(...page);
  return mapPlatformRows(ctx, { rows, day, source, channel: platform.channel });
}

/**
 * Schedules the upload of the audiences. Describes which are missing until all that the channel may use are uploaded,
 * and while it may use none; undefined then.
 */
async function findMissingAudiences(
  ctx: Ctx,
  { audienceIds, platform: { channel } }: Pick<ActivationSpec, "audienceIds"> & { platform: Platform },
): Promise<string | undefined> {
  const now = ctx.clock();
  if (audienceIds.length === 0) return undefined;
  await ctx.db
    .insert(channelAudiences)
    .values(audienceIds.map((audienceId) => ({ audienceId, channel, dueAt: now })))
    .onConflictDoNothing();
  const denied = await findDeniedAudiences(ctx, { audienceIds, channel });
  const small = await findSmallAudiences(ctx, audienceIds);
  const usable = audienceIds.filter((id) => !denied.has(id) && !small.has(id));
  const uploaded = await ctx.db
    .select({ audienceId: channelAudiences.audienceId })
    .from(channelAudiences)
    .where(
      and(
        inArray(channelAudiences.audienceId, usable),
        eq(channelAudiences.channel, channel),
        isNotNull(channelAudiences.version),
      ),
    );
  if (usable.length > 0 && uploaded.length === usable.length) return undefined;
  return [
    `${uploaded.length} of ${audienceIds.length} audiences uploaded to ${connectableLabels[channel]}`,
    ...(denied.size > 0 ? [`consent is denied for ${denied.size}`] : []),
    ...(small.size > 0 ? [`${small.size} with fewer than ${minimumAudienceSize.toLocaleString("en-US")} people`] : []),
  ].join("; ");
}

/** Returns which of the audiences have fallen below the minimum, so that no channel gets them. */
async function findSmallAudiences(ctx: Ctx, audienceIds: readonly AudienceId[]): Promise<Set<AudienceId>> {
  const small = await ctx.db
    .select({ id: audiences.id })
    .from(audiences)
    .where(and(inArray(audiences.id, [...audienceIds]), lt(audiences.size, minimumAudienceSize)));
  return new Set(small.map(({ id }) => id));
}
