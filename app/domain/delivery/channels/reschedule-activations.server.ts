import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { Channel } from "../../campaigns/campaign.ts";
import type { AudienceId } from "../../ids.ts";

/** Makes the activations that wait for an audience due at once. */
export async function rescheduleActivations(
  ctx: Ctx,
  { audienceId, channel }: { audienceId: AudienceId; channel: Channel },
): Promise<void> {
  const now = ctx.clock().toISOString();
  await ctx.db.execute(sql`
    update channel_activations activation set due_at = ${now}::timestamptz
    from line_items item join version_audiences chosen on chosen.campaign_id = item.campaign_id and chosen.publisher_id = item.publisher_id
    where chosen.audience_id = ${audienceId} and activation.line_item_id = item.id and activation.channel = ${channel}
      and activation.desired_state = 'active' and activation.problem = 'waiting' and activation.due_at > ${now}::timestamptz`);
}
