import type { SubmissionResult } from "@conform-to/react";

/** The values of a form's fields: strings as typed or saved, keyed by field name. */
export type FormValues = Readonly<Record<string, unknown>>;
export type FormErrors = Readonly<Record<string, readonly string[] | undefined>>;
export type FieldsProps = { values: FormValues; errors: FormErrors };

/** Returns the text of a field; empty if there is none. */
export function fieldText(values: FormValues, field: string): string {
  const value = values[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns the selected values of a multi-value field. A form with one checked box posts a string, not a list. */
export function fieldValues(values: FormValues, field: string): string[] {
  const value = values[field];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}

/**
 * Returns the rejected submission if it was sent with this intent. On a page of several forms each takes only its own:
 * the values of another form would replace its stored ones.
 */
export function rejectionOf<Rejected extends SubmissionResult<string[]>>(
  rejected: Rejected | undefined,
  intent: string,
): Rejected | undefined {
  return rejected?.initialValue?.intent === intent ? rejected : undefined;
}

/** Returns the values and errors to show: those of a rejected submission, or else the stored values. */
export function toFormState(answer: SubmissionResult<string[]> | undefined, stored: FormValues): FieldsProps {
  if (!answer) return { values: stored, errors: {} };
  return { values: answer.initialValue ?? {}, errors: mergeItemErrors(answer.error ?? {}) };
}

/** Merges errors of items into their field: `channels[1]` is an error of `channels`. */
export function mergeItemErrors(errors: Record<string, readonly string[] | null>): Record<string, string[]> {
  const merged: Record<string, string[]> = {};
  for (const [name, messages] of Object.entries(errors)) {
    const field = name.replace(/\[\d+\].*$/, "");
    merged[field] = [...new Set([...(merged[field] ?? []), ...(messages ?? [])])];
  }
  return merged;
}
