import { alternatives, isNullable, type JsonSchema } from "./json-schema.ts";

/** A row of a table of fields or parameters. */
export type FieldRow = { name: string; type: string; required: boolean; text: string };

/** How deep the fields of fields are listed. */
const maxDepth = 3;

/**
 * Lists the fields of an object's schema, with the fields of inner objects as `outer.inner` and of lists as
 * `outer[].inner`.
 */
export function fieldRows(schema: JsonSchema, prefix = "", depth = 1): FieldRow[] {
  const rows = new Map<string, FieldRow>();
  for (const object of alternatives(schema)) {
    for (const [name, inner] of Object.entries(object.properties ?? {})) {
      const row = fieldRow(`${prefix}${name}`, inner, object.required?.includes(name) ?? false);
      const known = rows.get(name);
      rows.set(name, known ? merged(known, row) : row);
      if (depth < maxDepth)
        for (const deeper of innerRows(inner, `${prefix}${name}`, depth)) rows.set(deeper.name, deeper);
    }
  }
  return [...rows.values()];
}

export function fieldRow(name: string, schema: JsonSchema, required: boolean): FieldRow {
  return { name, type: describeType(schema), required, text: describeRules(schema) };
}

/** A field of several alternatives accepts the values of each, and is required only if each requires it. */
function merged(one: FieldRow, other: FieldRow): FieldRow {
  const type = one.type === other.type ? one.type : `${one.type} or ${other.type}`;
  return { ...one, type, required: one.required && other.required };
}

function innerRows(schema: JsonSchema, name: string, depth: number): FieldRow[] {
  return alternatives(schema).flatMap((option) => {
    if (option.type === "array" && option.items) return fieldRows(option.items, `${name}[].`, depth + 1);
    return option.properties ? fieldRows(option, `${name}.`, depth + 1) : [];
  });
}

function describeType(schema: JsonSchema): string {
  const types = [...new Set(alternatives(schema).map(describeOne))];
  return [...types, ...(isNullable(schema) ? ["null"] : [])].join(" or ");
}

function describeOne({ type, format, items, enum: values, const: only }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return "one of the values";
  if (type === "array") return items ? `list of ${plural(describeType(items))}` : "list";
  if (format === "binary") return "file";
  if (format === "uuid") return "id";
  return typeof type === "string" ? (formats[format ?? ""] ?? type) : "any";
}

/** `one of the values` and what has several types stay as they are. */
function plural(type: string): string {
  return /^\w+$/.test(type) ? `${type}s` : type;
}

const formats: Record<string, string | undefined> = { "date-time": "time", date: "date", uri: "URL" };

/** Describes what a value must fulfill beyond its type. */
function describeRules(schema: JsonSchema): string {
  const options = alternatives(schema);
  const values = options.flatMap((option) => option.enum ?? option.items?.enum ?? []);
  const [first = {}] = options;
  return [
    schema.description ?? first.description,
    values.length > 0 ? `Values: ${values.join(", ")}` : undefined,
    describeRange(first.minimum, first.maximum, ""),
    describeRange(undefined, first.maxLength, " characters"),
    describeRange(first.minItems, first.maxItems, " items"),
    describeDefault(schema.default ?? first.default),
  ]
    .filter((text) => text !== undefined)
    .join(". ");
}

function describeRange(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const isOpen = max === undefined || max >= Number.MAX_SAFE_INTEGER;
  const format = (value: number) => value.toLocaleString("en-US");
  if (min !== undefined && min > Number.MIN_SAFE_INTEGER) {
    return isOpen ? `At least ${format(min)}${unit}` : `${format(min)} to ${format(max)}${unit}`;
  }
  return isOpen ? undefined : `At most ${format(max)}${unit}`;
}

function describeDefault(value: unknown): string | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  return `Default: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}
