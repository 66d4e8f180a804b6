import { removeInvisible, visiblePattern } from "#app/domain/visible-text.ts";

/**
 * The checks of a field that the browser can run, each with its message. Patterns are sources of regular expressions.
 */
export type FieldChecks = {
  required?: string;
  patterns?: readonly (readonly [string, string])[];
  maxLength?: readonly [number, string];
  min?: readonly [number, string];
  max?: readonly [number, string];
};

/** The checks of a form, by field name. */
export type FormChecks = Readonly<Record<string, FieldChecks>>;

/** Returns the errors that the browser can detect. The server detects these and others. */
export function findErrors(fields: FormData, checks: FormChecks): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const [name, check] of Object.entries(checks)) {
    const message = errorIn(fields.getAll(name), check);
    if (message !== undefined) errors[name] = [message];
  }
  return errors;
}

/**
 * Returns the errors of number fields with a text that is no number, such as `5,50`: browsers send them as empty, so
 * the server would take them as cleared.
 */
export function findUnreadNumbers(form: HTMLFormElement, checks: FormChecks): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement) || !field.validity.badInput) continue;
    const { patterns, min } = checks[field.name] ?? {};
    errors[field.name] = [patterns?.[0]?.[1] ?? min?.[1] ?? "Enter a number"];
  }
  return errors;
}

function errorIn(values: FormDataEntryValue[], check: FieldChecks): string | undefined {
  const entered = values.filter((value) => (typeof value === "string" ? value !== "" : value.size > 0));
  if (entered.length === 0) return check.required;
  for (const value of entered) {
    const message = typeof value === "string" ? errorOf(value, check) : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}

function errorOf(entered: string, { patterns = [], maxLength, min, max }: FieldChecks): string | undefined {
  const text = visiblePattern.test(entered) ? removeInvisible(entered) : "";
  if (maxLength && [...text.replace(/\r\n?/g, "\n").normalize("NFC").trim()].length > maxLength[0]) return maxLength[1];
  const missed = patterns.find(([source]) => !new RegExp(source, "iu").test(text));
  if (missed) return missed[1];
  const number = Number(text.replace(/[\s$,]/g, ""));
  if (min && number < min[0]) return min[1];
  if (max && number > max[0]) return max[1];
  return undefined;
}
