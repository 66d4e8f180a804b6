import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { CampaignId, LineItemId } from "#app/domain/ids.ts";
import { pgArray } from "#db/query-rows.server.ts";

/**
 * Locks line items, or all line items of campaigns, in the order of their ids until the transaction ends. A settlement
 * locks them in that order and without their campaigns, so that whoever writes several of them calls this before it
 * locks or writes the first. The caller has locked the campaigns.
 */
export async function lockLineItems(
  ctx: Ctx,
  which: { ids: Iterable<LineItemId> } | { campaignIds: Iterable<CampaignId> },
): Promise<void> {
  const isLocked =
    "ids" in which
      ? sql`id = any(${pgArray(which.ids)}::uuid[])`
      : sql`campaign_id = any(${pgArray(which.campaignIds)}::uuid[])`;
  await ctx.db.execute(sql`select from line_items where ${isLocked} order by id for no key update`);
}
