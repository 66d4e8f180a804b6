import { z } from "zod";
import { campaignIdSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { doneIntents, reversibleIntents, undoActionOf } from "#app/screens/shared/campaigns/campaign-intents.ts";
import { lineItemVerbs } from "#app/screens/shared/campaigns/campaign-verbs.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { notFoundResponse, orThrow404 } from "#app/web/not-found.server.ts";
import { outdatedFormResponse } from "#app/web/outdated-form.server.ts";

const intentSchema = z.enum(reversibleIntents);

/**
 * Pauses, resumes, archives or restores as the form says, then redirects to `back` with a message. Throws 404 for an ID
 * of no own campaign, and 400 for an unknown action.
 */
export async function handleCampaignAction(ctx: Ctx<PublisherActor>, data: FormData, back: string) {
  const { data: id } = campaignIdSchema.safeParse(data.get("id"));
  if (!id) throw notFoundResponse();
  const { data: intent } = intentSchema.safeParse(data.get("intent"));
  if (!intent) throw outdatedFormResponse();
  try {
    const isChanged = await orThrow404(lineItemVerbs[intent](ctx, { id }));
    return await redirectWithFlash(back, {
      tone: "success",
      message: `Campaign ${doneIntents[intent]}`,
      // What was so before is not undone: someone else may have done it.
      undo: isChanged ? { action: undoActionOf(intent, "line_item"), id } : undefined,
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
}
