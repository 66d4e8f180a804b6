import { and, asc, eq } from "drizzle-orm";
import {
  accounts,
  audiences,
  campaigns,
  channelActivations,
  channelConnections,
  lineItems,
  versionAudiences,
} from "#db/schema/index.ts";
import { consentUse } from "../../audiences/consent/audience-consent.ts";
import { channels } from "../../campaigns/campaign.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { activationStatus, nextActivationStep } from "./activation.ts";
import { asksForConsent } from "./connectable.ts";

/** The maximum number of rows: more than any campaign has, with ten channels for each publisher. */
const maxRows = 500;

export type CampaignChannel = Awaited<ReturnType<typeof listCampaignChannels>>[number];

/**
 * Lists the status of each channel for each line item of the advertiser's campaign, by publisher. Error messages of
 * channels are for the operator only. Activations that were never requested and are not wanted are left out.
 * `isSimulated`: whether channels without a connected account report simulated delivery.
 */
export async function listCampaignChannels(
  ctx: Ctx<AdvertiserActor>,
  { id, isSimulated }: { id: CampaignId; isSimulated: boolean },
) {
  const rows = await ctx.db
    .select({ order: channelActivations, publisherName: accounts.companyName, connectionId: channelConnections.id })
    .from(channelActivations)
    .innerJoin(lineItems, eq(lineItems.id, channelActivations.lineItemId))
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .innerJoin(accounts, eq(accounts.id, lineItems.publisherId))
    .leftJoin(channelConnections, eq(channelConnections.channel, channelActivations.channel))
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, ctx.actor.accountId)))
    .orderBy(asc(lineItems.id))
    .limit(maxRows);
  const chosen = await listChosenAudiences(ctx, id);
  return rows
    .filter(({ order }) => order.confirmedState !== null || nextActivationStep(order) !== null)
    .sort((one, other) => channelIndex(one.order) - channelIndex(other.order))
    .map(({ order, publisherName, connectionId }) => ({
      id: `${order.lineItemId}-${order.channel}`,
      lineItemId: order.lineItemId,
      channel: order.channel,
      publisherName,
      status: activationStatus(order),
      failures: order.failures,
      desiredState: order.desiredState,
      desiredVersion: order.desiredVersion,
      /** The version that the channel is running; null while it is not running. */
      runningVersion: order.confirmedState === "active" ? order.confirmedVersion : null,
      isHeld: isHeld(order),
      /** Whether an operator runs it there and reports its delivery. */
      isManaged: connectionId === null && !isSimulated,
      retryAt: order.failures > 0 ? order.dueAt : null,
      /** How many of the line item's audiences the channel does not get, because consent is denied. */
      audiencesLeftOut: countAudiencesLeftOut(chosen, order),
    }));
}

/** Whether the channel is ready to run the line item, and runs nothing of it until it may deliver. */
function isHeld({ desiredState, confirmedState, problem, dueAt }: typeof channelActivations.$inferSelect): boolean {
  return desiredState === "active" && confirmedState === "paused" && problem === null && dueAt === null;
}

/** Lists the audiences of each version and publisher of the campaign, with the publisher's statement about consent. */
async function listChosenAudiences(ctx: Ctx, id: CampaignId) {
  return ctx.db
    .select({
      lineItemId: lineItems.id,
      version: versionAudiences.version,
      adUserData: audiences.adUserDataConsent,
      adPersonalization: audiences.adPersonalizationConsent,
    })
    .from(lineItems)
    .innerJoin(
      versionAudiences,
      and(
        eq(versionAudiences.campaignId, lineItems.campaignId),
        eq(versionAudiences.publisherId, lineItems.publisherId),
      ),
    )
    .innerJoin(audiences, eq(audiences.id, versionAudiences.audienceId))
    .where(eq(lineItems.campaignId, id));
}

function countAudiencesLeftOut(
  chosen: Awaited<ReturnType<typeof listChosenAudiences>>,
  { lineItemId, channel, desiredVersion }: typeof channelActivations.$inferSelect,
): { denied: number; all: boolean } {
  if (!asksForConsent(channel)) return { denied: 0, all: false };
  const audiencesOfItem = chosen.filter((one) => one.lineItemId === lineItemId && one.version === desiredVersion);
  const denied = audiencesOfItem.filter((consent) => consentUse(consent) === "nowhere").length;
  return { denied, all: denied > 0 && denied === audiencesOfItem.length };
}

function channelIndex({ channel }: typeof channelActivations.$inferSelect): number {
  return channels.indexOf(channel);
}
