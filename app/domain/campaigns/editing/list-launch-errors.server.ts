import { calendarDateOf } from "../../calendar-date.ts";
import { listUnlistedProducts } from "../../catalog/list-unlisted-products.server.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { FieldErrors } from "../../errors.ts";
import { listUsableAudiences } from "../campaign-rows.server.ts";
import type { CampaignDetail } from "../get-campaign.server.ts";
import { launchErrors } from "../launch-checks.ts";
import { knownStartDates } from "./known-start-dates.server.ts";

/**
 * Returns the errors that launching the campaign, or sending its changes, would have now, by the field names of the
 * JSON API. The launch itself checks again, with everything locked.
 */
export async function listLaunchErrors(ctx: Ctx<AdvertiserActor>, campaign: CampaignDetail): Promise<FieldErrors> {
  const usable = await listUsableAudiences(ctx, { ids: campaign.content.audienceIds, campaignId: campaign.id });
  return launchErrors(campaign, {
    today: calendarDateOf(ctx.clock()),
    readyAudienceIds: new Set(usable.map(({ id }) => id)),
    audienceNames: new Map(campaign.audiences.map(({ id, name }) => [id, name])),
    knownStartDates: await knownStartDates(ctx, campaign),
    spentCents: campaign.spentCents,
    unlistedProducts: await listUnlistedProducts(ctx, campaign.content.productIds),
    creativeIds: new Set(campaign.creatives.map(({ id }) => id)),
  });
}
