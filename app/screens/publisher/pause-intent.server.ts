import { z } from "zod";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type CampaignId, idSchema } from "#app/domain/ids.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { parseForm, readForm } from "#app/web/form.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";

const schema = z.object({ intent: z.enum(["pause", "resume"]), id: idSchema<CampaignId>() });

/** Pauses or resumes as the form says, and goes `back` with what became of it. */
export async function submitPauseIntent(ctx: Ctx<PublisherActor>, request: Request, back: string) {
  const form = parseForm(await readForm(request), schema);
  if (form.status !== "success") throw new Response("Unknown form", { status: 400, statusText: "Bad Request" });
  const { intent, id } = form.value;
  try {
    await orNotFoundPage((intent === "pause" ? pauseLineItem : resumeLineItem)(ctx, { id }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
  return redirectWithFlash(back, {
    tone: "success",
    message: intent === "pause" ? "Campaign paused" : "Campaign resumed",
  });
}
