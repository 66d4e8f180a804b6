import { z } from "zod";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { listCreativeChoices } from "#app/screens/shared/creatives/list-creative-choices.server.ts";
import { loadReach } from "#app/screens/shared/reach/load-reach.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";
import { queryParam, readSearch } from "#app/web/search-params.server.ts";
import { listChoices } from "./list-choices.server.ts";
import { stepSchema } from "./step-intent.server.ts";

const searchSchema = z.object({ step: stepSchema, find: queryParam, find_creative: queryParam });

export function wizardSearch(request: Request) {
  return readSearch(request, searchSchema);
}

/** What a step of the wizard shows; `brand` is the advertiser's name, for its ads. A completed campaign cannot be changed: its own page says so. */
export async function loadWizard(
  ctx: Ctx<AdvertiserActor>,
  { request, base, id, brand }: { request: Request; base: PortalBase; id: CampaignId; brand: string },
) {
  const { step, find, find_creative: findCreative } = wizardSearch(request);
  const campaign = await orNotFoundPage(getCampaign(ctx, id));
  if (campaign.status === "completed") {
    const message = "A completed campaign cannot be changed. Duplicate it instead.";
    throw await redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "info", message });
  }
  const { name, status, pacing, content, unsentFields, audiences, products, creatives, updatedAt } = campaign;
  const choices = {
    ...(await listChoices(ctx, { step, find, campaign })),
    find,
    findCreative,
    hasCreative: content.creativeIds.length > 0,
    ...(step === 2
      ? await listCreativeChoices(ctx, { chosen: creatives, q: findCreative })
      : { creatives: [], moreCreatives: false }),
    uploadHref: portalHref(base, "/creatives/upload"),
    ad: { adFormat: content.adFormat, brand, headline: wordsOfName(name), landingUrl: content.landingUrl },
    reach: step === 3 ? await loadReach(ctx, campaign.content.audienceIds) : { ids: [] },
    reachHref: portalHref(base, "/audiences/reach"),
    today: calendarDateOf(ctx.clock()),
  };
  const rejections = campaign.lineItems
    .filter((item) => item.approvalStatus === "rejected")
    .map(({ id: lineItemId, publisherName, notes }) => ({ id: lineItemId, publisherName, notes }));
  return {
    base,
    step,
    campaign: { id, name, status, pacing, content, unsentFields, audiences, products, creatives, updatedAt },
    rejections,
    choices,
    checks: step === 6 ? {} : checksOf(campaignStepSchemas[step]),
    now: ctx.clock(),
  };
}
