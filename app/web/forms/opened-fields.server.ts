import { hash } from "node:crypto";
import { type ZodObject, z } from "zod";
import type { FormValues } from "#app/ui/form/form-values.ts";
import { parseForm } from "./form.server.ts";

/**
 * Returns the text of a form's hidden field `opened`: a fingerprint of each value with which the form was opened. Empty
 * if the stored values do not fulfill the form's schema.
 */
export function fingerprintFields(schema: ZodObject, stored: FormValues): string {
  const fields = new FormData();
  for (const [name, value] of Object.entries(stored)) {
    if (typeof value === "string" || typeof value === "number") fields.append(name, String(value));
    if (value === true) fields.append(name, "on");
  }
  const parsed = parseForm(fields, schema);
  if (parsed.status !== "success") return "";
  return JSON.stringify(
    Object.fromEntries(Object.entries(parsed.value).map(([name, value]) => [name, fingerprint(value)])),
  );
}

const openedSchema = z.record(z.string(), z.string());

/**
 * Returns the fields that were changed in a form. The others may have been changed elsewhere since the form was opened,
 * in another tab or by an import, and are left out. Returns all fields if `opened` is not what `fingerprintFields` wrote.
 */
export function changedFields<Values extends Record<string, unknown>>(
  values: Values,
  opened: unknown,
): Partial<Values> {
  const known = openedSchema.safeParse(parseJson(opened));
  if (!known.success) return values;
  const changed = Object.entries(values).filter(([name, value]) => known.data[name] !== fingerprint(value));
  return Object.fromEntries(changed) as Partial<Values>;
}

function fingerprint(value: unknown): string {
  return hash("sha256", JSON.stringify(value) ?? "", "base64url").slice(0, 10);
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
