import { type ZodType, z } from "zod";

/**
 * The input with nothing in place of texts where a number belongs, so that the schema refuses them with its own words. Forms
 * send every number as text, and share their schemas with the calls; in JSON a number is a number.
 */
export function withoutNumberTexts(schema: ZodType, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([key, value]): [string, unknown] => {
    const isText = typeof value === "string" && fieldsNamed(schema, key).some(takesNumber);
    return [key, isText ? false : value];
  });
  return Object.fromEntries(entries);
}

/** The fields of this name: of an object, or of each of several that the input may be. */
function fieldsNamed(schema: z.core.$ZodType, key: string): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, key) ? [schema.shape[key]] : [];
  if (schema instanceof z.ZodPipe) return [...fieldsNamed(schema.in, key), ...fieldsNamed(schema.out, key)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsNamed(option, key));
  return [];
}

/** Whether what comes in is a number, which a form may spell out. */
export function takesNumber(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return takesNumber(schema.unwrap());
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodCatch) return takesNumber(schema.unwrap());
  if (schema instanceof z.ZodPipe) return takesNumber(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodUnion) return isNumberOrText(schema);
  return schema instanceof z.ZodNumber;
}

export function isNumberOrText(schema: z.ZodUnion): boolean {
  const { options } = schema;
  const has = (type: typeof z.ZodNumber | typeof z.ZodString) => options.some((option) => option instanceof type);
  return options.length === 2 && has(z.ZodNumber) && has(z.ZodString);
}
