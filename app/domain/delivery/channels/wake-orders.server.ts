import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { ChannelAudience } from "./channel-audience-rows.server.ts";

/** The orders that wait for an audience are told again at once. */
export async function wakeOrders(ctx: Ctx, { audienceId, channel }: ChannelAudience): Promise<void> {
  const now = ctx.clock().toISOString();
  await ctx.db.execute(sql`
    update channel_orders told set due_at = ${now}::timestamptz
    from line_items item join version_audiences chosen on chosen.campaign_id = item.campaign_id and chosen.publisher_id = item.publisher_id
    where chosen.audience_id = ${audienceId} and told.line_item_id = item.id and told.channel = ${channel}
      and told.wanted = 'active' and told.problem = 'waiting' and told.due_at > ${now}::timestamptz`);
}
