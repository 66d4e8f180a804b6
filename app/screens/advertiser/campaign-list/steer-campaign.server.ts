import { z } from "zod";
import { campaignIdSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { duplicateCampaign } from "#app/domain/campaigns/duplicate-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { notFoundPage, orNotFoundPage } from "#app/web/not-found.server.ts";

const steeringSchema = z.object({
  intent: z.enum(["pause", "resume", "duplicate"]),
  campaign: campaignIdSchema,
});
const done = { pause: "is paused", resume: "runs again" } as const;

/** Pauses, resumes or duplicates the campaign of a row's or a page's form, and goes `back` with a message. */
export async function steerCampaign(
  ctx: Ctx<AdvertiserActor>,
  { form, back, base }: { form: FormData; back: string; base: PortalBase },
) {
  const read = steeringSchema.safeParse(Object.fromEntries(form));
  if (!read.success) throw notFoundPage();
  const { intent, campaign: id } = read.data;
  const { name } = await orNotFoundPage(getCampaign(ctx, id));
  try {
    if (intent === "duplicate") return await duplicate(ctx, { id, base });
    await { pause: pauseCampaign, resume: resumeCampaign }[intent](ctx, { id });
    return redirectWithFlash(back, { tone: "success", message: `“${wordsOfName(name)}” ${done[intent]}` });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
}

async function duplicate(ctx: Ctx<AdvertiserActor>, { id, base }: { id: CampaignId; base: PortalBase }) {
  const copy = await duplicateCampaign(ctx, { id });
  return redirectWithFlash(portalHref(base, `/campaigns/${copy.id}/edit`), {
    tone: "success",
    message: "This is a copy, saved as a draft. It needs dates of its own.",
  });
}
