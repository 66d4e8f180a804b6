import { and, asc, eq } from "drizzle-orm";
import { accounts, campaigns, channelOrders, lineItems } from "#db/schema/index.ts";
import { channels } from "../../campaigns/campaign.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { standingOf } from "./order.ts";

/** More than any campaign has: ten channels of each of its publishers. */
const most = 500;

export type CampaignChannel = Awaited<ReturnType<typeof listCampaignChannels>>[number];

/**
 * How it stands with each channel of each line item of the advertiser's campaign, by publisher. What a channel said is the
 * operator's to read. Those that never did anything and are to do nothing are left out.
 */
export async function listCampaignChannels(ctx: Ctx<AdvertiserActor>, id: CampaignId) {
  const rows = await ctx.db
    .select({ order: channelOrders, publisherName: accounts.companyName })
    .from(channelOrders)
    .innerJoin(lineItems, eq(lineItems.id, channelOrders.lineItemId))
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .innerJoin(accounts, eq(accounts.id, lineItems.publisherId))
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, ctx.actor.accountId)))
    .orderBy(asc(lineItems.id))
    .limit(most);
  return rows
    .filter(({ order }) => order.wanted === "active" || order.state !== null)
    .sort((one, other) => placeOf(one.order) - placeOf(other.order))
    .map(({ order, publisherName }) => ({
      id: `${order.lineItemId}-${order.channel}`,
      lineItemId: order.lineItemId,
      channel: order.channel,
      publisherName,
      standing: standingOf(order),
      failures: order.failures,
      wantedVersion: order.wantedVersion,
      /** The version that the channel goes on with; null while it does nothing. */
      runningVersion: order.state === "active" ? order.version : null,
      triedAgainAt: order.failures > 0 ? order.dueAt : null,
    }));
}

function placeOf({ channel }: typeof channelOrders.$inferSelect): number {
  return channels.indexOf(channel);
}
