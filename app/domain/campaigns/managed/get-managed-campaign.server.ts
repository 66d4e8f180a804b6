import { and, eq } from "drizzle-orm";
import { campaigns } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { CampaignId } from "../../ids.ts";
import { microsToCents } from "../../money.ts";
import { toCampaignContent, toUnreviewedValues } from "../campaign-rows.server.ts";
import { readManagedEditing } from "./update-managed-campaign.server.ts";

/**
 * Returns a campaign that the publisher created for an advertiser, as its form edits it, and whether it can be edited.
 * Products are the advertiser's and left out. Throws `not_found` for any other campaign.
 */
export async function getManagedCampaign(ctx: Ctx<PublisherActor>, id: CampaignId) {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.managedByPublisherId, ctx.actor.accountId)));
  if (!row) throw notFound("Campaign");
  return {
    id: row.id,
    version: row.version,
    ...toUnreviewedValues(row),
    content: { ...toCampaignContent(row), productIds: [] },
    spentCents: microsToCents(row.spendMicros),
    editing: await readManagedEditing(ctx, row),
  };
}
