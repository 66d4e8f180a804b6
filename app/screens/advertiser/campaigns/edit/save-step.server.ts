import type { SubmissionResult } from "@conform-to/react";
import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { discardBlankDraft } from "#app/domain/campaigns/editing/discard-blank-draft.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import type { FieldErrors } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { parseEdit } from "#app/screens/advertiser/campaigns/wizard/parse-edit.server.ts";
import { parseStepForm } from "#app/screens/advertiser/campaigns/wizard/parse-step.server.ts";
import { parseIntent, redirectForIntent } from "#app/screens/advertiser/campaigns/wizard/step-redirect.server.ts";
import type { WizardStep } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { toStepErrors } from "#app/screens/advertiser/campaigns/wizard/to-step-errors.server.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

type Place = { id: CampaignId; base: PortalBase };

/** When the campaign was last changed, as far as the review step shows; undefined in a form of an earlier version. */
const seenAtSchema = z.coerce
  .number()
  .int()
  .positive()
  .transform((at) => new Date(at))
  .optional()
  .catch(undefined);

/** A step's form, and the errors of its files. */
type StepForm = { step: WizardStep; form: FormData; fileErrors: string[] };

/** Saves the step's form and redirects to where its button leads; invalid fields keep the user on the step. */
export async function saveStep(ctx: Ctx<AdvertiserActor>, { id, base, step, form, fileErrors }: Place & StepForm) {
  if (step === 6) {
    await orThrow404(getCampaign(ctx, id));
    return followButton(ctx, { id, base, step, form });
  }
  const { changes, version, hasInvalidFields, reject } = parseStepForm(form, step);
  const ofFiles: FieldErrors = fileErrors.length > 0 ? { [creativeFilesField]: fileErrors } : {};
  try {
    await updateCampaign(ctx, { id, changes, version, edit: parseEdit(form, { step, isFinished: true }) });
  } catch (error) {
    const { status, fields, message } = toStepErrors(error);
    return data(reject({ fields: { ...fields, ...ofFiles }, message: fields ? undefined : message }), { status });
  }
  if (hasInvalidFields || fileErrors.length > 0) return data(reject({ fields: ofFiles }), { status: 422 });
  return followButton(ctx, { id, base, step, form });
}

/** Follows the pressed button. A draft in which nothing was entered does not stay in the list when it is left. */
async function followButton(ctx: Ctx<AdvertiserActor>, place: Place & Omit<StepForm, "fileErrors">) {
  const { id, base, form } = place;
  if (parseIntent(form) === "leave" && (await discardBlankDraft(ctx, { id }))) {
    return redirect(portalHref(base, "/campaigns"));
  }
  return redirectForIntent(place);
}

/**
 * Launches the campaign as the page showed it, or submits changes to a launched one; otherwise returns everything that
 * is missing.
 */
export async function launchOrSendChanges(ctx: Ctx<AdvertiserActor>, { id, base, form }: Place & { form: FormData }) {
  const before = await orThrow404(getCampaign(ctx, id));
  try {
    await launchCampaign(ctx, { id, seenAt: seenAtSchema.parse(form.get("seen_at")) });
  } catch (error) {
    const { status, fields, message } = toStepErrors(error);
    const response: SubmissionResult<string[]> = { status: "error", error: fields ?? { "": [message] } };
    return data(response, { status });
  }
  // A launch that is sent again leads where it led first: there was nothing else to send.
  const isLaunch = before.status === "draft" || (before.version === 1 && before.unsentFields.length === 0);
  if (!isLaunch) {
    const message = "Changes sent to publishers for review";
    return redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "success", message });
  }
  const thankYou = `/thank-you/campaign-created?campaign=${id}` as const;
  return redirect(base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou);
}
