import { type ZodType, z } from "zod";

/**
 * Removes strings where the schema expects a number, so that the schema rejects them with its own message. Forms send
 * numbers as strings and share their schemas with the API; JSON must use numbers.
 */
export function withoutNumberTexts(schema: ZodType, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([key, value]): [string, unknown] => {
    const isText = typeof value === "string" && fieldsNamed(schema, key).some(expectsNumber);
    return [key, isText ? false : value];
  });
  return Object.fromEntries(entries);
}

/** Returns the schemas of a field: of an object schema, or of each member of a union. */
function fieldsNamed(schema: z.core.$ZodType, key: string): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, key) ? [schema.shape[key]] : [];
  if (schema instanceof z.ZodPipe) return [...fieldsNamed(schema.in, key), ...fieldsNamed(schema.out, key)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsNamed(option, key));
  return [];
}

/** Whether the schema expects a number, which a form may send as a string. */
export function expectsNumber(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return expectsNumber(schema.unwrap());
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodCatch) return expectsNumber(schema.unwrap());
  if (schema instanceof z.ZodPipe) return expectsNumber(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodUnion) return isNumberOrText(schema);
  return schema instanceof z.ZodNumber;
}

export function isNumberOrText(schema: z.ZodUnion): boolean {
  const { options } = schema;
  const has = (type: typeof z.ZodNumber | typeof z.ZodString) => options.some((option) => option instanceof type);
  return options.length === 2 && has(z.ZodNumber) && has(z.ZodString);
}
