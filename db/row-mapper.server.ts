import { compileFunction } from "node:vm";
import { Column, getTableName, is, noopDecoder, SQL, Subquery } from "drizzle-orm";
import type { SelectedFieldsOrdered } from "drizzle-orm/pg-core";

/** One selected value: its place in the object of a row, and what it comes from. */
type Field = Pick<SelectedFieldsOrdered[number], "path"> & { field: unknown };

export type RowMapper<Row> = (row: readonly unknown[]) => Row;

/** Whether a value is the list of fields that drizzle keeps with a prepared query. */
export function isFieldList(value: unknown): value is Field[] {
  return Array.isArray(value) && value.every((one) => Array.isArray(one?.path) && one.field !== undefined);
}

/**
 * Returns the function that makes a query's object of a row, as drizzle does, but as one object literal: drizzle looks
 * up each column's decoder again in each row, and adds the properties one by one. `isNotNull` says by table name which
 * tables have a row in any case; the object of another one is null when it has none.
 */
export function compileRowMapper<Row>(
  fields: readonly Field[],
  isNotNull: Record<string, boolean> | undefined,
): RowMapper<Row> {
  const decoders = fields.map(({ field }) => decoderOf(field));
  const values = fields.map(({ path, field }, index) => {
    const raw = `row[${index}]`;
    const value = isIdentity(decoders[index])
      ? raw
      : `${raw} === null ? null : decoders[${index}].mapFromDriverValue(${raw})`;
    return { path, field, raw, value };
  });
  const run = compileFunction(`return (row) => (${literal(values, isNotNull)});`, ["decoders"]);
  return run(decoders);
}

type Value = Field & { raw: string; value: string };

/** Writes the literal of an object whose values have these paths. */
function literal(values: readonly Value[], isNotNull: Record<string, boolean> | undefined): string {
  const names = [...new Set(values.map(({ path }) => path[0] ?? ""))];
  const members = names.map((name) => {
    const inside = values.filter(({ path }) => path[0] === name);
    const [first] = inside;
    if (first && first.path.length === 1) return `${JSON.stringify(name)}: ${inside.at(-1)?.value}`;
    const object = literal(
      inside.map((value) => ({ ...value, path: value.path.slice(1) })),
      undefined,
    );
    const present = isNotNull && firstOfOptionalTable(inside, isNotNull);
    return `${JSON.stringify(name)}: ${present ? `${present.raw} === null ? null : ${object}` : object}`;
  });
  return `{ ${members.join(", ")} }`;
}

/** Returns the column that is null when the one table of these values has no row; undefined if it always has one. */
function firstOfOptionalTable(values: readonly Value[], isNotNull: Record<string, boolean>): Value | undefined {
  const columns = values.filter(({ path, field }) => path.length === 2 && is(field, Column));
  const tables = new Set(columns.map(({ field }) => (is(field, Column) ? getTableName(field.table) : "")));
  const [table = ""] = tables;
  return tables.size === 1 && !isNotNull[table] ? columns[0] : undefined;
}

type Decoder = { mapFromDriverValue: (value: unknown) => unknown };

function decoderOf(field: unknown): Decoder {
  const decoder: unknown = is(field, Column)
    ? field
    : is(field, Subquery)
      ? Reflect.get(field._.sql, "decoder")
      : expressionDecoder(field);
  if (!isDecoder(decoder)) throw new Error("A selected field has no decoder");
  return decoder;
}

function expressionDecoder(field: unknown): unknown {
  if (is(field, SQL)) return Reflect.get(field, "decoder");
  return is(field, SQL.Aliased) ? Reflect.get(field.sql, "decoder") : undefined;
}

function isDecoder(value: unknown): value is Decoder {
  return typeof value === "object" && value !== null && "mapFromDriverValue" in value;
}

function isIdentity(decoder: Decoder | undefined): boolean {
  const decode = decoder?.mapFromDriverValue;
  return decode === Column.prototype.mapFromDriverValue || decode === noopDecoder.mapFromDriverValue;
}
