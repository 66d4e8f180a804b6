import type { SubmissionResult } from "@conform-to/react";
import { isChannelOf } from "#app/domain/campaigns/campaign.ts";
import { type CampaignChanges, campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import type { FieldErrors } from "#app/domain/errors.ts";
import { parseForm } from "#app/web/form.server.ts";
import type { FormStep } from "./steps.ts";

/** A step's form with nothing in it: what clears each of its fields. */
const emptySteps: Record<FormStep, CampaignChanges> = {
  1: { name: null, objective: null },
  2: { ad_format: null, landing_url: null, creative_ids: [], selected_products: [] },
  3: { selected_audiences: [], geolocations: [], frequency_cap_impressions: null, frequency_cap_period: null },
  4: { channels: [] },
  5: { budget: null, daily_budget: null, start_date: null, end_date: null, pacing: null },
};

type StepRead = {
  /** Every field of the step that can be read: its form owns exactly these, so that what is missing is cleared. */
  changes: CampaignChanges;
  /** Whether some field cannot be read; `refuse` answers with the form as it was typed. */
  unreadable: boolean;
  refuse: (more?: { fields?: FieldErrors; message?: string }) => SubmissionResult<string[]>;
};

/** Reads the form of a step. A field that cannot be read is left out and refused alone; the others can be saved. */
export function readStep(form: FormData, step: FormStep): StepRead {
  const schema = campaignStepSchemas[step];
  const whole = parseForm(form, schema);
  const refuse: StepRead["refuse"] = (more) =>
    whole.reply({ fieldErrors: more?.fields ?? {}, formErrors: more?.message ? [more.message] : [] });
  if (whole.status === "success") return { changes: fill(step, whole.value, []), unreadable: false, refuse };

  const bad = Object.keys(whole.error ?? {}).map((name) => name.replace(/\[.*$/, ""));
  const rest = new FormData();
  for (const [name, value] of form) if (!bad.includes(name.replace(/\[.*$/, ""))) rest.append(name, value);
  const readable = parseForm(rest, schema);
  const changes = readable.status === "success" ? fill(step, readable.value, bad) : {};
  return { changes, unreadable: true, refuse };
}

function fill(step: FormStep, value: CampaignChanges, bad: string[]): CampaignChanges {
  const given = Object.entries(value).filter(([, content]) => content !== undefined);
  const cleared = Object.entries(emptySteps[step]).filter(([field]) => !bad.includes(field));
  const changes: CampaignChanges = { ...Object.fromEntries(cleared), ...Object.fromEntries(given) };
  const { channel_type: type, channels, creative_ids: creatives } = changes;
  // The form has both types' channels and hides one: what is ticked under the other type does not count.
  if (type && channels) changes.channels = channels.filter((channel) => isChannelOf(type, channel));
  if (creatives?.length === 0) changes.selected_products = [];
  return changes;
}
