import type { SubmissionResult } from "@conform-to/react";

/** What the fields of a campaign show: texts as they were typed or saved, named as on the wire. */
export type FormValues = Readonly<Record<string, unknown>>;
export type FormErrors = Readonly<Record<string, readonly string[] | undefined>>;
export type FieldsProps = { values: FormValues; errors: FormErrors };

/** The text of a field; empty when there is none. */
export function textOf(values: FormValues, field: string): string {
  const value = values[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The ticked values of a field with several. A form with one tick posts a text, not a list. */
export function listOf(values: FormValues, field: string): string[] {
  const value = values[field];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}

/** Values and errors to show: what was just posted and refused, or else what is stored. */
export function formStateOf(answer: SubmissionResult<string[]> | undefined, stored: FormValues): FieldsProps {
  if (!answer) return { values: stored, errors: {} };
  return { values: answer.initialValue ?? {}, errors: mergeItemErrors(answer.error ?? {}) };
}

/** `channels[1]` is an error of `channels`. */
function mergeItemErrors(errors: Record<string, readonly string[] | null>): FormErrors {
  const merged: Record<string, string[]> = {};
  for (const [name, messages] of Object.entries(errors)) {
    const field = name.replace(/\[\d+\].*$/, "");
    merged[field] = [...new Set([...(merged[field] ?? []), ...(messages ?? [])])];
  }
  return merged;
}

const order = [
  "",
  "advertiser_id",
  "commission_rate",
  "name",
  "objective",
  "ad_format",
  "landing_url",
  "creative_files",
  "creative_ids",
  "selected_products",
  "selected_audiences",
  "geolocations",
  "frequency_cap_impressions",
  "frequency_cap_period",
  "channel_type",
  "channels",
  "budget",
  "daily_budget",
  "start_date",
  "end_date",
  "pacing",
];

/** The errors as their fields stand on the page, for a summary. */
export function inOrder(errors: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(errors).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}
