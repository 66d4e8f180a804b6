import { getZodConstraint } from "@conform-to/zod/v4";
import { z } from "zod";
import { type FieldRules, fieldRules } from "#app/domain/field-rules.ts";
import type { FieldChecks, FormChecks } from "#app/ui/form/field-checks.ts";
import { parseForm } from "./form.server.ts";

type Given = Readonly<Record<string, string>>;
const known = new WeakMap<z.ZodType, Map<string, FormChecks>>();

/**
 * Describes what a browser can check of a form before it is sent, with the messages of its schema: they travel in the
 * loader's data in place of the schema. `given` are the fields that the form always sends, such as its intent.
 */
export function checksOf(schema: z.ZodType, given: Given = {}): FormChecks {
  const found = known.get(schema) ?? new Map<string, FormChecks>();
  known.set(schema, found);
  const key = JSON.stringify(given);
  const checks = found.get(key) ?? describeChecks(schema, given);
  found.set(key, checks);
  return checks;
}

function describeChecks(schema: z.ZodType, given: Given): FormChecks {
  const form = formOf(schema, given);
  const constraints = getZodConstraint(form);
  const missing = errorsOf(form, given);
  const checks: Record<string, FieldChecks> = {};
  for (const [name, field] of Object.entries(form.shape)) {
    if (name in given) continue;
    const { patterns, ...rules } = rulesOf(field);
    const check: FieldChecks = { ...boundsOf(form, { given, name, constraint: constraints[name] }), ...rules };
    if (missing[name]?.[0]) check.required = missing[name][0];
    if (patterns) check.patterns = patterns.map(([pattern, message]) => [pattern.source, message]);
    if (Object.keys(check).length > 0) checks[name] = check;
  }
  return checks;
}

/** The object of the fields; of several, told apart by one field, the one that is given. */
function formOf(schema: z.core.$ZodType, given: Given): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return formOf(schema.in, given);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    for (const option of schema.options) {
      const form = formOf(option, given);
      const field: z.core.$ZodType | undefined = form.shape[discriminator];
      if (field && z.safeParse(field, given[discriminator]).success) return form;
    }
  }
  throw new Error("the schema is not one of a form");
}

/** The rules that a schema and those inside it have registered. */
function rulesOf(schema: z.core.$ZodType): FieldRules {
  const inner = innerOf(schema).map(rulesOf);
  const own = fieldRules.get(schema) ?? {};
  const patterns = [...inner, own].flatMap((rules) => rules.patterns ?? []);
  return Object.assign({}, ...inner, own, patterns.length > 0 ? { patterns } : {});
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [schema.unwrap()];
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodCatch) return [schema.unwrap()];
  return [];
}

type Bounds = Pick<FieldChecks, "min" | "max">;
type Constraint = ReturnType<typeof getZodConstraint>[string] | undefined;

/** The limits of a number as the schema states them. What it says of a number beyond them is asked of the schema. */
function boundsOf(
  form: z.ZodObject,
  { given, name, constraint }: { given: Given; name: string; constraint: Constraint },
): Bounds {
  const bounds: Bounds = {};
  for (const [limit, beyond] of [
    ["min", -1],
    ["max", 1],
  ] as const) {
    const value = constraint?.[limit];
    if (typeof value !== "number") continue;
    const message = errorsOf(form, { ...given, [name]: String(value + beyond) })[name]?.[0];
    if (message) bounds[limit] = [value, message];
  }
  return bounds;
}

function errorsOf(form: z.ZodObject, given: Given): Record<string, string[] | null> {
  const fields = new FormData();
  for (const [name, value] of Object.entries(given)) fields.set(name, value);
  return parseForm(fields, form).reply().error ?? {};
}
