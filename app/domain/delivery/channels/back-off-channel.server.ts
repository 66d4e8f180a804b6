import { sql } from "drizzle-orm";
import type { Channel } from "#app/domain/campaigns/campaign.ts";
import type { Ctx } from "#app/domain/context.ts";
import type { channelActivations, channelAudiences } from "#db/schema/index.ts";
import { type ChannelError, isChannelWide } from "./channel-problem.ts";

/** How long a channel that did not respond is left alone, in milliseconds. */
const silentWaitMs = 60_000;

/**
 * Adds a channel that limits our requests or does not respond to those that a run leaves alone: each further request
 * would fail too, and a platform extends a limit that is not respected. What is due there waits as long as the channel
 * asked; a channel that does not respond is asked again after a minute, by one request.
 */
export async function backOffChannel(
  ctx: Ctx,
  table: typeof channelActivations | typeof channelAudiences,
  { error, channel, backedOff }: { error: ChannelError; channel: Channel; backedOff: Set<Channel> },
): Promise<void> {
  if (!isChannelWide(error.problem)) return;
  backedOff.add(channel);
  const waitMs = error.retryAfterMs ?? silentWaitMs;
  const until = sql`${new Date(ctx.clock().getTime() + waitMs).toISOString()}::timestamptz`;
  // A row that changes at this moment is due at once, and asks the channel once more.
  await ctx.db.execute(sql`
    update ${table} set due_at = ${until} where ctid = any(array(
      select ctid from ${table} where channel = ${channel} and due_at < ${until} and leased_until is null for update skip locked))`);
}
