import { getManagedCampaign } from "#app/domain/campaigns/managed/get-managed-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

/** Loads a campaign that the publisher manages; one that it cannot edit now redirects to its page, with the reason. */
export async function loadEditableCampaign(
  ctx: Ctx<PublisherActor>,
  { id, base }: { id: CampaignId; base: PortalBase },
) {
  const campaign = await orThrow404(getManagedCampaign(ctx, id));
  if (campaign.editing.editable) return campaign;
  throw await redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "info", message: campaign.editing.why });
}
