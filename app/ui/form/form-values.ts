import type { SubmissionResult } from "@conform-to/react";

/** What the fields of a form show: texts as they were typed or saved, named as on the wire. */
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
export function mergeItemErrors(errors: Record<string, readonly string[] | null>): Record<string, string[]> {
  const merged: Record<string, string[]> = {};
  for (const [name, messages] of Object.entries(errors)) {
    const field = name.replace(/\[\d+\].*$/, "");
    merged[field] = [...new Set([...(merged[field] ?? []), ...(messages ?? [])])];
  }
  return merged;
}
