import { and, eq } from "drizzle-orm";
import { campaigns } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { CampaignId } from "../../ids.ts";

/**
 * Returns the name, the stored status and the time of archiving of one of the advertiser's campaigns. Throws
 * `not_found`.
 */
export async function getCampaignStatus({ db, actor }: Ctx<AdvertiserActor>, id: CampaignId) {
  const [row] = await db
    .select({ name: campaigns.name, status: campaigns.status, archivedAt: campaigns.archivedAt })
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, actor.accountId)));
  if (!row) throw notFound("Campaign");
  return row;
}
