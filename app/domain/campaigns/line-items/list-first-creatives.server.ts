import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type Creative, listCreativesById } from "#app/domain/creatives/creative-rows.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import type { PublisherCampaign } from "./publisher-campaigns.server.ts";

/** Returns the first creative of each campaign that has one, in one query. The campaigns are the publisher's own. */
export async function listFirstCreatives(
  ctx: Ctx<PublisherActor>,
  campaigns: readonly Pick<PublisherCampaign, "id" | "creativeIds">[],
): Promise<Record<CampaignId, Creative>> {
  const ids = campaigns.flatMap(({ creativeIds }) => creativeIds.slice(0, 1));
  const creatives = await listCreativesById(ctx, [...new Set(ids)]);
  const first: Record<CampaignId, Creative> = {};
  for (const { id, creativeIds } of campaigns) {
    const found = creatives.find((creative) => creative.id === creativeIds[0]);
    if (found) first[id] = found;
  }
  return first;
}
