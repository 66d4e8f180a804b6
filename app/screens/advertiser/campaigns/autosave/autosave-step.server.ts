import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { listLaunchErrors } from "#app/domain/campaigns/editing/list-launch-errors.server.ts";
import { errorsOfFilledFields, stepStates } from "#app/domain/campaigns/editing/step-states.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { DomainError, type FieldErrors } from "#app/domain/errors.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { type AutosaveResult, editFields } from "#app/screens/advertiser/campaigns/wizard/autosave-protocol.ts";
import { draftOnce } from "#app/screens/advertiser/campaigns/wizard/draft-once.ts";
import { parseEdit } from "#app/screens/advertiser/campaigns/wizard/parse-edit.server.ts";
import { parseStepForm } from "#app/screens/advertiser/campaigns/wizard/parse-step.server.ts";
import { type FormStep, stepHref } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { mergeItemErrors } from "#app/ui/form/form-values.ts";

/** Saves what is valid of a step, by the verb of its buttons, and returns what the page shows then. */
export async function autosaveStep(
  ctx: Ctx<AdvertiserActor>,
  { id: saved, base, step, form }: { id: CampaignId | undefined; base: PortalBase; step: FormStep; form: FormData },
): Promise<AutosaveResult> {
  const { changes, version, hasInvalidFields, reject } = parseStepForm(form, step);
  const id = saved ?? (await createDraft(ctx, form));
  const edit = parseEdit(form, { step, isFinished: form.get(editFields.finished) === "true" });
  const save = edit && { ...edit, isAutomatic: true };
  const rejected = await updateCampaign(ctx, { id, changes, version, edit: save }).then(() => ({}), fieldErrorsOf);
  const campaign = await getCampaign(ctx, id);
  const { content, name, pacing } = campaign;
  const values = { ...content, name, pacing };
  const errors = await listLaunchErrors(ctx, campaign);
  const invalid = { ...(hasInvalidFields && mergeItemErrors(reject().error ?? {})), ...rejected };
  return {
    href: stepHref(base, id, step),
    title: displayCampaignName(name),
    states: stepStates(values, errors),
    problems: { ...errorsOfFilledFields(values, errors), ...invalid },
    isPartial: Object.keys(invalid).length > 0,
  };
}

/**
 * Creates the draft of a new campaign's form once; its fields are saved as changes, so that the history has them all.
 */
async function createDraft(ctx: Ctx<AdvertiserActor>, form: FormData): Promise<CampaignId> {
  const { id } = await createIdempotently(ctx, draftOnce(form), (inside) => createCampaign(inside, {}));
  const created = parseId<CampaignId>(id);
  invariant(created, "a created draft has no valid id", { id });
  return created;
}

/** A value that does not fit its campaign, such as an audience that was archived, is an error at its field. */
function fieldErrorsOf(error: unknown): FieldErrors {
  if (error instanceof DomainError && error.fields) return error.fields;
  throw error;
}
