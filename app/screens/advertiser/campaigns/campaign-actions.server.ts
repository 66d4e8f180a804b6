import { z } from "zod";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { campaignIdSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { duplicateCampaign } from "#app/domain/campaigns/duplicate-campaign.server.ts";
import { getCampaignStatus } from "#app/domain/campaigns/status/get-campaign-status.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { doneIntents, reversibleIntents, undoActionOf } from "#app/screens/shared/campaigns/campaign-intents.ts";
import { campaignVerbs } from "#app/screens/shared/campaigns/campaign-verbs.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { notFoundResponse, orThrow404 } from "#app/web/not-found.server.ts";
import { outdatedFormResponse } from "#app/web/outdated-form.server.ts";

/** The page's key for duplicates. A form without one, or with an invalid one, duplicates without protection. */
const duplicateKeySchema = z.uuid().optional().catch(undefined);

const actionSchema = z.object({
  intent: z.enum([...reversibleIntents, "duplicate"]),
  idempotency_key: duplicateKeySchema,
});

/**
 * Pauses, resumes, duplicates, archives or restores the campaign named by the form, then redirects to `back` with a
 * message. Throws 404 for an ID of no own campaign, and 400 for an unknown action.
 */
export async function handleCampaignAction(
  ctx: Ctx<AdvertiserActor>,
  { form, back, base }: { form: FormData; back: string; base: PortalBase },
) {
  const { data: id } = campaignIdSchema.safeParse(form.get("campaign"));
  if (!id) throw notFoundResponse();
  const read = actionSchema.safeParse(Object.fromEntries(form));
  if (!read.success) throw outdatedFormResponse();
  const { intent, idempotency_key: key } = read.data;
  const { name } = await orThrow404(getCampaignStatus(ctx, id));
  try {
    if (intent === "duplicate") return await duplicate(ctx, { id, key, base });
    const isChanged = await campaignVerbs[intent](ctx, { id });
    return redirectWithFlash(back, {
      tone: "success",
      message: `“${displayCampaignName(name)}” ${doneIntents[intent]}`,
      // What was so before is not undone: someone else may have done it.
      undo: isChanged ? { action: undoActionOf(intent, "campaign"), id } : undefined,
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
}

async function duplicate(
  ctx: Ctx<AdvertiserActor>,
  { id, key, base }: { id: CampaignId; key: string | undefined; base: PortalBase },
) {
  const copy = await duplicateOnce(ctx, { id, key });
  return redirectWithFlash(portalHref(base, `/campaigns/${copy.id}/edit`), {
    tone: "success",
    message: "Copy saved as a draft. Set new dates before you launch it.",
  });
}

/** Returns the verb of a bulk form, which duplicates each selected campaign once, however often the form is sent. */
export function duplicateFor(form: FormData) {
  const key = duplicateKeySchema.parse(form.get("idempotency_key") ?? undefined);
  return (ctx: Ctx<AdvertiserActor>, { id }: { id: CampaignId }) => duplicateOnce(ctx, { id, key });
}

/** Duplicates a campaign once per page, whose key all of its campaigns share. */
function duplicateOnce(ctx: Ctx<AdvertiserActor>, { id, key }: { id: CampaignId; key: string | undefined }) {
  const request = { key: key && `${key}-${id}`, values: { copied_from: id } };
  return createIdempotently(ctx, request, (once) => duplicateCampaign(once, { id }));
}
