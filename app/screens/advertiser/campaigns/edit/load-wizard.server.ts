import { z } from "zod";
import { findFundsHold } from "#app/domain/billing/wallet/find-funds-hold.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { archivedMessage } from "#app/domain/campaigns/archive/archive-rules.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { listLaunchErrors } from "#app/domain/campaigns/editing/list-launch-errors.server.ts";
import { errorsOfFilledFields, stepStates } from "#app/domain/campaigns/editing/step-states.ts";
import { type CampaignDetail, getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { describeRejectedPart, describeRejectionReasons } from "#app/domain/campaigns/status/campaign-rejection.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { loadForecastFacts } from "#app/screens/advertiser/campaigns/forecast/load-forecast.server.ts";
import { listStepOptions } from "#app/screens/advertiser/campaigns/wizard/list-options.server.ts";
import { stepSchema } from "#app/screens/advertiser/campaigns/wizard/step-redirect.server.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { loadReach } from "#app/screens/shared/campaigns/reach/load-reach.server.ts";
import { listCreativeOptions } from "#app/screens/shared/creatives/list-creative-options.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";
import { parseSearchParams, searchTextParam } from "#app/web/search-params.server.ts";

const searchSchema = z.object({ step: stepSchema, find: searchTextParam, find_creative: searchTextParam });

export function parseWizardSearch(request: Request) {
  return parseSearchParams(request, searchSchema);
}

/**
 * Loads a wizard step; `brand` is the advertiser's name, for ad previews. A completed or archived campaign cannot be
 * edited and redirects to its own page.
 */
export async function loadWizard(
  ctx: Ctx<AdvertiserActor>,
  { request, base, id, brand }: { request: Request; base: PortalBase; id: CampaignId; brand: string },
) {
  const { step, find, find_creative: findCreative } = parseWizardSearch(request);
  const campaign = await orThrow404(getCampaign(ctx, id));
  if (campaign.status === "completed") {
    const message = "Completed campaigns can't be edited. Duplicate the campaign instead.";
    throw await redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "info", message });
  }
  if (campaign.archivedAt) {
    throw await redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "info", message: archivedMessage });
  }
  const { name, status, version, pacing, content, unsentFields, audiences, products, creatives, updatedAt } = campaign;
  const choices = {
    ...(await listStepOptions(ctx, { step, find, campaign })),
    find,
    findCreative,
    hasCreative: content.creativeIds.length > 0,
    ...(step === 2
      ? await listCreativeOptions(ctx, { chosen: creatives, q: findCreative })
      : { creatives: [], moreCreatives: false }),
    uploadHref: portalHref(base, "/creatives/upload"),
    ad: { adFormat: content.adFormat, brand, headline: displayCampaignName(name), landingUrl: content.landingUrl },
    reach: step === 3 ? await loadReach(ctx, campaign.content.audienceIds) : { ids: [] },
    reachHref: portalHref(base, "/audiences/reach"),
    today: calendarDateOf(ctx.clock()),
    forecast: step >= 5 ? await loadForecastFacts(ctx, campaign) : undefined,
  };
  const values = { ...content, name, pacing };
  const errors = await listLaunchErrors(ctx, campaign);
  const rejections = campaign.lineItems
    .filter((item) => item.approvalStatus === "rejected")
    .map(({ id: lineItemId, publisherName, notes, reasons, approvedVersion }) => ({
      id: lineItemId,
      title: `${publisherName} rejected ${describeRejectedPart({ approvedVersion })}`,
      notes,
      reasons: describeRejectionReasons(reasons),
    }));
  return {
    base,
    step,
    campaign: { id, name, status, version, pacing, content, unsentFields, audiences, products, creatives, updatedAt },
    stored: campaignFormValues(campaign),
    launch: launchLabels(campaign),
    // What the step's form sends of what it shows: a launch needs the whole content, a step the version that it
    // changes.
    seen: step === 6 ? { name: "seen_at", value: updatedAt.getTime() } : { name: "version", value: version },
    rejections,
    funds:
      step === 6
        ? { reason: campaign.statusReason, fundsHold: await findFundsHold(ctx), paymentsEnabled: arePaymentsSetUp() }
        : undefined,
    states: stepStates(values, errors),
    problems: step === 6 ? {} : errorsOfFilledFields(values, errors),
    choices,
    checks: step === 6 ? {} : checksOf(campaignStepSchemas[step]),
    now: ctx.clock(),
  };
}

function launchLabels({ status, unsentFields }: Pick<CampaignDetail, "status" | "unsentFields">) {
  if (status === "draft") return { label: "Launch Campaign", busyLabel: "Launching..." };
  return unsentFields.length > 0 ? { label: "Send Changes", busyLabel: "Sending..." } : undefined;
}
