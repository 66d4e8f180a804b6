import { and, eq } from "drizzle-orm";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { CampaignId } from "../ids.ts";

/**
 * The publisher's line item under the locks of its campaign and of itself, in this order, as every verb takes them.
 * `endDate` is that of the version it was sent. Throws `not_found` for a campaign it has no part in.
 */
export async function lockLineItem(ctx: Ctx<PublisherActor>, campaignId: CampaignId) {
  const mine = and(eq(lineItems.campaignId, campaignId), eq(lineItems.publisherId, ctx.actor.accountId));
  const [campaign] = await ctx.db
    .select({ id: campaigns.id, advertiserId: campaigns.advertiserId })
    .from(campaigns)
    .innerJoin(lineItems, eq(lineItems.campaignId, campaigns.id))
    .where(and(eq(campaigns.id, campaignId), mine))
    .for("no key update", { of: campaigns });
  const [row] = await ctx.db
    .select({ lineItem: lineItems, endDate: campaignVersions.endDate })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, lineItems.sentVersion)),
    )
    .where(mine)
    .for("no key update", { of: lineItems });
  if (!campaign || !row) throw notFound("Campaign");
  return { ...row.lineItem, endDate: row.endDate, advertiserId: campaign.advertiserId };
}

export type LockedLineItem = Awaited<ReturnType<typeof lockLineItem>>;
