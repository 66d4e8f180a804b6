import { hash } from "node:crypto";
import { type ZodObject, z } from "zod";
import type { FormValues } from "#app/ui/form/form-values.ts";
import { parseForm } from "./form.server.ts";

/**
 * Returns the text of a form's hidden field `opened`: a fingerprint of each value with which the form was opened. A
 * stored value that the form's schema rejects, such as an old `http:` image, has none.
 */
export function fingerprintFields(schema: ZodObject, stored: FormValues): string {
  const fields = new FormData();
  for (const [name, value] of Object.entries(stored)) {
    if (typeof value === "string" || typeof value === "number") fields.append(name, String(value));
    if (value === true) fields.append(name, "on");
  }
  const fingerprints = Object.entries(schema.shape).flatMap(([name, field]) => {
    const parsed = parseForm(fields, z.object({ [name]: field }));
    return parsed.status === "success" ? [[name, fingerprint(parsed.value[name])]] : [];
  });
  return JSON.stringify(Object.fromEntries(fingerprints));
}

const openedSchema = z.record(z.string(), z.string());

/**
 * Leaves out the fields that were not changed in a form: they may have been changed elsewhere since it was opened, in
 * another tab or by an import. Returns all fields if `opened` is not what `fingerprintFields` wrote.
 */
export function omitUnchangedFields<Values extends Record<string, unknown>>(
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
