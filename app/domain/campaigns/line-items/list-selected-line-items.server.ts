import { and, desc, eq, inArray } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { lineItems } from "#db/schema/index.ts";
import {
  type PublisherCampaign,
  selectPublisherCampaigns,
  toPublisherCampaigns,
} from "./publisher-campaigns.server.ts";

/** Lists the publisher's line items of these campaigns, newest first; campaigns of other publishers are left out. */
export async function listSelectedLineItems(
  ctx: Ctx<PublisherActor>,
  { ids }: { ids: readonly CampaignId[] },
): Promise<PublisherCampaign[]> {
  if (ids.length === 0) return [];
  const rows = await selectPublisherCampaigns(ctx)
    .where(and(eq(lineItems.publisherId, ctx.actor.accountId), inArray(lineItems.campaignId, [...ids])))
    .orderBy(desc(lineItems.id));
  return toPublisherCampaigns(ctx, rows);
}
