import { and, asc, eq } from "drizzle-orm";
import { accounts, campaigns, channelActivations, lineItems } from "#db/schema/index.ts";
import { channels } from "../../campaigns/campaign.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { activationStatus } from "./activation.ts";

/** The maximum number of rows: more than any campaign has, with ten channels for each publisher. */
const maxRows = 500;

export type CampaignChannel = Awaited<ReturnType<typeof listCampaignChannels>>[number];

/**
 * Lists the status of each channel for each line item of the advertiser's campaign, by publisher. Error messages of
 * channels are for the operator only. Activations that never started and are not wanted are left out.
 */
export async function listCampaignChannels(ctx: Ctx<AdvertiserActor>, id: CampaignId) {
  const rows = await ctx.db
    .select({ order: channelActivations, publisherName: accounts.companyName })
    .from(channelActivations)
    .innerJoin(lineItems, eq(lineItems.id, channelActivations.lineItemId))
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .innerJoin(accounts, eq(accounts.id, lineItems.publisherId))
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, ctx.actor.accountId)))
    .orderBy(asc(lineItems.id))
    .limit(maxRows);
  return rows
    .filter(({ order }) => order.desiredState === "active" || order.confirmedState !== null)
    .sort((one, other) => channelIndex(one.order) - channelIndex(other.order))
    .map(({ order, publisherName }) => ({
      id: `${order.lineItemId}-${order.channel}`,
      lineItemId: order.lineItemId,
      channel: order.channel,
      publisherName,
      status: activationStatus(order),
      failures: order.failures,
      desiredVersion: order.desiredVersion,
      /** The version that the channel is running; null while it is not running. */
      runningVersion: order.confirmedState === "active" ? order.confirmedVersion : null,
      retryAt: order.failures > 0 ? order.dueAt : null,
    }));
}

function channelIndex({ channel }: typeof channelActivations.$inferSelect): number {
  return channels.indexOf(channel);
}
