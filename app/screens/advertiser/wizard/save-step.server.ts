import type { SubmissionResult } from "@conform-to/react";
import { data, redirect } from "@remix-run/node";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { DomainError, type FieldErrors } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { statusOf } from "#app/web/http-status.ts";
import { notFoundPage, orNotFoundPage } from "#app/web/not-found.server.ts";
import { readStep } from "./read-step.server.ts";
import { followIntent } from "./step-intent.server.ts";
import type { WizardStep } from "./steps.ts";

type Place = { id: CampaignId; base: PortalBase };

/** A step's form, with what was wrong with the files in it. */
type StepForm = { step: WizardStep; form: FormData; fileErrors: string[] };

/** Saves what the step's form says and goes where its button leads; what cannot be read keeps one on the step. */
export async function saveStep(ctx: Ctx<AdvertiserActor>, { id, base, step, form, fileErrors }: Place & StepForm) {
  if (step === 6) {
    await orNotFoundPage(getCampaign(ctx, id));
    return followIntent({ base, id, step, form });
  }
  const { changes, unreadable, refuse } = readStep(form, step);
  const ofFiles: FieldErrors = fileErrors.length > 0 ? { [creativeFilesField]: fileErrors } : {};
  try {
    await changeCampaign(ctx, { id, changes });
  } catch (error) {
    const { status, fields, message } = refusalOf(error);
    return data(refuse({ fields: { ...fields, ...ofFiles }, message: fields ? undefined : message }), { status });
  }
  if (unreadable || fileErrors.length > 0) return data(refuse({ fields: ofFiles }), { status: 422 });
  return followIntent({ base, id, step, form });
}

/** Launches, or sends the changes of what was launched; else answers with everything that is missing. */
export async function launchFromReview(ctx: Ctx<AdvertiserActor>, { id, base }: Place) {
  const { status: before } = await orNotFoundPage(getCampaign(ctx, id));
  try {
    await launchCampaign(ctx, { id });
  } catch (error) {
    const { status, fields, message } = refusalOf(error);
    const answer: SubmissionResult<string[]> = { status: "error", error: fields ?? { "": [message] } };
    return data(answer, { status });
  }
  if (before !== "draft") {
    const message = "Your changes were sent to the publishers for a decision";
    return redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "success", message });
  }
  const thankYou = `/thank-you/campaign-created?campaign=${id}` as const;
  return redirect(base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou);
}

function refusalOf(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === "not_found") throw notFoundPage();
  return { status: statusOf[error.code], fields: error.fields, message: error.message };
}
