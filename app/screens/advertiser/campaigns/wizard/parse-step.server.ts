import type { SubmissionResult } from "@conform-to/react";
import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import {
  type CampaignChanges,
  campaignStepSchemas,
  seenVersionSchema,
} from "#app/domain/campaigns/campaign-payloads.ts";
import type { FieldErrors } from "#app/domain/errors.ts";
import { dropHiddenChannels } from "#app/screens/shared/campaigns/fields/drop-hidden-channels.ts";
import { parseForm } from "#app/web/forms/form.server.ts";
import type { FormStep } from "./steps.ts";

/** A step's form with nothing in it: what clears each of its fields. */
function clearedFields(step: FormStep): [string, unknown][] {
  return campaignFieldRows
    .filter((row) => row.step === step && row.cleared !== undefined)
    .map(({ name, cleared }) => [name, cleared]);
}

type StepRead = {
  /** Every valid field of the step. The form owns exactly these fields, so an absent one is cleared. */
  changes: CampaignChanges;
  /** The version that the form was opened with. */
  version: number | null | undefined;
  /** Whether any field is invalid; `reject` responds with the form as it was typed. */
  hasInvalidFields: boolean;
  reject: (more?: { fields?: FieldErrors; message?: string }) => SubmissionResult<string[]>;
};

/** Parses a step's form. Invalid fields are left out and reported individually; the others can be saved. */
export function parseStepForm(form: FormData, step: FormStep): StepRead {
  const schema = campaignStepSchemas[step];
  const whole = parseForm(form, schema);
  const reject: StepRead["reject"] = (more) =>
    whole.reply({ fieldErrors: more?.fields ?? {}, formErrors: more?.message ? [more.message] : [] });
  const version = seenVersionSchema.safeParse(form.get("version")).data;
  if (whole.status === "success")
    return { changes: fill(step, whole.value, []), version, hasInvalidFields: false, reject };

  const bad = Object.keys(whole.error ?? {}).map((name) => name.replace(/\[.*$/, ""));
  const rest = new FormData();
  for (const [name, value] of form) if (!bad.includes(name.replace(/\[.*$/, ""))) rest.append(name, value);
  const readable = parseForm(rest, schema);
  const changes = readable.status === "success" ? fill(step, readable.value, bad) : {};
  return { changes, version, hasInvalidFields: true, reject };
}

function fill(step: FormStep, value: CampaignChanges, bad: string[]): CampaignChanges {
  const entered = Object.entries(value).filter(([, content]) => content !== undefined);
  const cleared = clearedFields(step).filter(([field]) => !bad.includes(field));
  const changes: CampaignChanges = { ...Object.fromEntries(cleared), ...Object.fromEntries(entered) };
  if (changes.creative_ids?.length === 0) changes.selected_products = [];
  return dropHiddenChannels(changes);
}
