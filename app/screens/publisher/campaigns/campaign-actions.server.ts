import { z } from "zod";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type CampaignId, idSchema } from "#app/domain/ids.ts";
import { doneIntents, reversibleIntents, undoActionOf } from "#app/screens/shared/campaigns/campaign-intents.ts";
import { lineItemVerbs } from "#app/screens/shared/campaigns/campaign-verbs.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { parseForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

const schema = z.object({
  intent: z.enum(reversibleIntents),
  id: idSchema<CampaignId>(),
});

/** Pauses, resumes, archives or restores as the form says, then redirects to `back` with a message. */
export async function handleCampaignAction(ctx: Ctx<PublisherActor>, data: FormData, back: string) {
  const form = parseForm(data, schema);
  if (form.status !== "success")
    throw new Response("This form is out of date. Reload the page and try again.", {
      status: 400,
      statusText: "Bad Request",
    });
  const { intent, id } = form.value;
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
