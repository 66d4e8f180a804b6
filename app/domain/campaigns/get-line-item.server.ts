import { and, eq } from "drizzle-orm";
import { lineItems } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { listCreativesOf } from "../creatives/creative-rows.server.ts";
import { notFound } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { type CampaignContent, differingFields } from "./campaign-content.ts";
import { findVersionContent } from "./campaign-rows.server.ts";
import { selectPublisherCampaigns, toPublisherCampaign } from "./list-line-items.server.ts";

/**
 * One campaign as the publisher sees it, with what changed since the version it approved: `approvedContent` is that
 * version's, `changedFields` names the differing parts (other publishers' audiences do not count).
 * Throws `not_found` for a campaign it has no part in.
 */
export async function getLineItem(ctx: Ctx<PublisherActor>, id: CampaignId) {
  const [row] = await selectPublisherCampaigns(ctx)
    .where(and(eq(lineItems.publisherId, ctx.actor.accountId), eq(lineItems.campaignId, id)))
    .limit(1);
  if (!row) throw notFound("Campaign");
  const campaign = toPublisherCampaign(row);
  const approved =
    campaign.approvedVersion !== null && campaign.approvedVersion !== campaign.version
      ? await findOwnContent(ctx, id, campaign.approvedVersion)
      : undefined;
  const sent = approved && (await findOwnContent(ctx, id, campaign.version));
  return {
    ...campaign,
    approvedContent: approved,
    changedFields: approved && sent ? differingFields(approved, sent) : [],
    creatives: await listCreativesOf(ctx, campaign.creativeIds),
    /** Of the approved version, those that the new one has no longer. */
    droppedCreatives: await listCreativesOf(
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
