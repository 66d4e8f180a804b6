import { and, eq } from "drizzle-orm";
import { differingFields } from "#app/domain/campaigns/campaign-content.ts";
import type { CampaignContent } from "#app/domain/campaigns/campaign-fields.ts";
import { findVersionContent } from "#app/domain/campaigns/campaign-rows.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { listCreativesById } from "#app/domain/creatives/creative-rows.server.ts";
import { notFound } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { lineItems } from "#db/schema/index.ts";
import { selectPublisherCampaigns, toPublisherCampaigns } from "./publisher-campaigns.server.ts";

/**
 * Returns a campaign as the publisher sees it, with the changes since the version it approved: `approvedContent` is the
 * content of that version, `changedFields` the differing fields (without other publishers' audiences). Throws
 * `not_found` for a campaign without a line item of the publisher.
 */
export async function getLineItem(ctx: Ctx<PublisherActor>, id: CampaignId) {
  const rows = await selectPublisherCampaigns(ctx)
    .where(and(eq(lineItems.publisherId, ctx.actor.accountId), eq(lineItems.campaignId, id)))
    .limit(1);
  const [campaign] = await toPublisherCampaigns(ctx, rows);
  if (!campaign) throw notFound("Campaign");
  const approved =
    campaign.approvedVersion !== null && campaign.approvedVersion !== campaign.version
      ? await findOwnContent(ctx, id, campaign.approvedVersion)
      : undefined;
  const sentContent = approved && (await findOwnContent(ctx, id, campaign.version));
  return {
    ...campaign,
    approvedContent: approved,
    changedFields: approved && sentContent ? differingFields(approved, sentContent) : [],
    creatives: await listCreativesById(ctx, campaign.creativeIds),
    /** The creatives of the approved version that the new version no longer has. */
    droppedCreatives: await listCreativesById(
      ctx,
      approved?.creativeIds.filter((creative) => !campaign.creativeIds.includes(creative)) ?? [],
    ),
  };
}

export type LineItemDetail = Awaited<ReturnType<typeof getLineItem>>;

async function findOwnContent(
  ctx: Ctx<PublisherActor>,
  id: CampaignId,
  version: number,
): Promise<CampaignContent | undefined> {
  return findVersionContent(ctx, id, version, ctx.actor.accountId);
}
