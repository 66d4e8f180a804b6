import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { channelAudiences } from "#db/schema/index.ts";
import { addDays, type CalendarDate, parseCalendarDate } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { DeliveryRow, RowRefusal } from "../delivery-row.ts";
import type { Activation, ChannelAdapter } from "./channel-adapter.ts";
import { ChannelError } from "./channel-problem.ts";
import { type ConnectableChannel, connectableLabels } from "./connectable.ts";
import { placeRows } from "./place-rows.server.ts";
import type { Platform, PlatformRow } from "./platform.ts";
import { campaignTag } from "./platform-tag.ts";

/** Platforms correct what they said of a day for about so long. */
const restatedDays = 7;

/**
 * A channel behind which a platform stands. What we do there is keep the audiences and read the reports; campaigns are made by
 * a trafficker, who names them by our tag, and are let run and paused by us (docs/operations.md, Channels).
 */
export function connectedChannel(platform: Platform, { timeZone }: { timeZone: string }): ChannelAdapter {
  const { channel } = platform;
  const label = connectableLabels[channel];
  const source = sourceOf(channel);

  async function run(ctx: Ctx<JobActor>, activation: Activation): Promise<{ reference: string }> {
    await awaitAudiences(ctx, { ...activation, platform });
    const { lineItemId, version } = activation;
    const found = await platform.findCampaigns(lineItemId);
    const ready = found.filter((campaign) => campaign.version === version);
    if (ready.length === 0) {
      const words = `${label} has no campaign yet whose name holds ${campaignTag(lineItemId, version)}`;
      throw new ChannelError(words, { problem: "waiting" });
    }
    // The earlier version's first, so that the two never run together.
    for (const one of found) if (one.running && one.version !== version) await platform.setRunning(one.id, false);
    for (const one of ready) if (!one.running) await platform.setRunning(one.id, true);
    return { reference: ready.map(({ id }) => id).join(" ") };
  }

  return {
    source,
    everyHours: 6,
    activate: run,
    change: run,
    pause: async (ctx, { lineItemId }) => {
      const found = await platform.findCampaigns(lineItemId);
      for (const { id, running } of found) if (running) await platform.setRunning(id, false);
      // Perhaps nobody uses its audiences any more.
      await ctx.db.execute(sql`
        update channel_audiences there set due_at = least(there.due_at, ${ctx.clock().toISOString()}::timestamptz)
        from line_items item join version_audiences chosen on chosen.campaign_id = item.campaign_id and chosen.publisher_id = item.publisher_id
        where item.id = ${lineItemId} and there.audience_id = chosen.audience_id and there.channel = ${channel}`);
    },
    async *fetchReport(ctx, { from, until }) {
      const last = addDays(dayIn(timeZone, until), -1);
      for (let day = addDays(dayIn(timeZone, from), -restatedDays); day <= last; day = addDays(day, 1)) {
        yield await readDay(ctx, { platform, day, source });
      }
    },
    audiences: platform.audiences,
  };
}

/** What a platform's reports are known by. */
export function sourceOf(channel: ConnectableChannel): string {
  return `${channel}-ads`;
}

/** The date that an instant has in a time zone. */
function dayIn(timeZone: string, instant: Date): CalendarDate {
  const text = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const day = parseCalendarDate(text.format(instant));
  if (!day) throw new Error("no date");
  return day;
}

/** All of a day at once: an audience's ad groups may be on any of its pages. */
async function readDay(
  ctx: Ctx,
  { platform, day, source }: { platform: Platform; day: CalendarDate; source: string },
): Promise<(DeliveryRow | RowRefusal)[]> {
  const rows: PlatformRow[] = [];
  for await (const page of platform.readDay(day)) rows.push(...page);
  return placeRows(ctx, { rows, day, source, channel: platform.channel });
}

/** Has the audiences brought there; until they are, the line item waits. */
async function awaitAudiences(
  ctx: Ctx,
  { audienceIds, platform: { channel } }: Pick<Activation, "audienceIds"> & { platform: Platform },
): Promise<void> {
  const now = ctx.clock();
  if (audienceIds.length === 0) return;
  await ctx.db
    .insert(channelAudiences)
    .values(audienceIds.map((audienceId) => ({ audienceId, channel, dueAt: now })))
    .onConflictDoNothing();
  const there = await ctx.db
    .select({ audienceId: channelAudiences.audienceId })
    .from(channelAudiences)
    .where(
      and(
        inArray(channelAudiences.audienceId, [...audienceIds]),
        eq(channelAudiences.channel, channel),
        isNotNull(channelAudiences.version),
      ),
    );
  if (there.length === audienceIds.length) return;
  const words = `${there.length} of ${audienceIds.length} audiences are at ${connectableLabels[channel]}`;
  throw new ChannelError(words, { problem: "waiting" });
}
