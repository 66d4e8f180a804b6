import { and, eq } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import { lockLineItems } from "./lock-line-items.server.ts";

/**
 * Locks the campaign and then the publisher's line item, with `withOthers` those of the campaign's other publishers
 * too; every verb takes the locks in this order. `endDate` is the end date of the version that was sent. Throws
 * `not_found` for a campaign without a line item of the publisher.
 */
export async function lockLineItem(ctx: Ctx<PublisherActor>, campaignId: CampaignId, { withOthers = false } = {}) {
  const own = and(eq(lineItems.campaignId, campaignId), eq(lineItems.publisherId, ctx.actor.accountId));
  const [campaign] = await ctx.db
    .select({ id: campaigns.id, advertiserId: campaigns.advertiserId })
    .from(campaigns)
    .innerJoin(lineItems, eq(lineItems.campaignId, campaigns.id))
    .where(and(eq(campaigns.id, campaignId), own))
    .for("no key update", { of: campaigns });
  if (!campaign) throw notFound("Campaign");
  if (withOthers) await lockLineItems(ctx, { campaignIds: [campaignId] });
  const [row] = await ctx.db
    .select({ lineItem: lineItems, endDate: campaignVersions.endDate })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, lineItems.sentVersion)),
    )
    .where(own)
    .for("no key update", { of: lineItems });
  if (!row) throw notFound("Campaign");
  return { ...row.lineItem, endDate: row.endDate, advertiserId: campaign.advertiserId };
}

export type LockedLineItem = Awaited<ReturnType<typeof lockLineItem>>;
