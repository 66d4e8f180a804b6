import { getZodConstraint } from "@conform-to/zod/v4";
import { z } from "zod";
import { type FieldRules, fieldRules } from "#app/domain/field-rules.ts";
import type { FieldChecks, FormChecks } from "#app/ui/form/field-checks.ts";
import { parseForm } from "./form.server.ts";

type FixedFields = Readonly<Record<string, string>>;
const known = new WeakMap<z.ZodType, Map<string, FormChecks>>();

/**
 * Returns the checks of a form that the browser can run, with the schema's messages: the loader sends them in place of
 * the schema. `fixedFields` are the fields that the form always sends, such as its intent; the checks of each of their
 * values are kept, so that none may be what a person chose.
 */
export function checksOf(schema: z.ZodType, fixedFields: FixedFields = {}): FormChecks {
  const checksByForm = known.get(schema) ?? new Map<string, FormChecks>();
  known.set(schema, checksByForm);
  const key = JSON.stringify(fixedFields);
  const checks = checksByForm.get(key) ?? describeChecks(schema, fixedFields);
  checksByForm.set(key, checks);
  return checks;
}

function describeChecks(schema: z.ZodType, fixedFields: FixedFields): FormChecks {
  const form = formOf(schema, fixedFields);
  const constraints = getZodConstraint(form);
  const missing = errorsOf(form, fixedFields);
  const checks: Record<string, FieldChecks> = {};
  for (const [name, field] of Object.entries(form.shape)) {
    if (name in fixedFields) continue;
    const { patterns, ...rules } = rulesOf(field);
    const check: FieldChecks = {
      ...boundsOf(form, { fixedFields, name, constraint: constraints[name] }),
      ...rules,
    };
    if (missing[name]?.[0]) check.required = missing[name][0];
    if (patterns) check.patterns = patterns.map(([pattern, message]) => [pattern.source, message]);
    if (Object.keys(check).length > 0) checks[name] = check;
  }
  return checks;
}

/** Returns the schema of the fields; for a discriminated union, the member that `fixedFields` selects. */
function formOf(schema: z.core.$ZodType, fixedFields: FixedFields): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return formOf(schema.in, fixedFields);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    for (const option of schema.options) {
      const form = formOf(option, fixedFields);
      const field: z.core.$ZodType | undefined = form.shape[discriminator];
      if (field && z.safeParse(field, fixedFields[discriminator]).success) return form;
    }
  }
  throw new Error("the schema is not one of a form");
}

/** Returns the rules that a schema and its nested schemas have registered. */
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

/** Returns a number's limits as the schema states them, with the schema's message for a number beyond them. */
function boundsOf(
  form: z.ZodObject,
  { fixedFields, name, constraint }: { fixedFields: FixedFields; name: string; constraint: Constraint },
): Bounds {
  const bounds: Bounds = {};
  for (const [limit, beyond] of [
    ["min", -1],
    ["max", 1],
  ] as const) {
    const value = constraint?.[limit];
    if (typeof value !== "number") continue;
    const message = errorsOf(form, { ...fixedFields, [name]: String(value + beyond) })[name]?.[0];
    if (message) bounds[limit] = [value, message];
  }
  return bounds;
}

function errorsOf(form: z.ZodObject, fixedFields: FixedFields): Record<string, string[] | null> {
  const fields = new FormData();
  for (const [name, value] of Object.entries(fixedFields)) fields.set(name, value);
  return parseForm(fields, form).reply().error ?? {};
}
