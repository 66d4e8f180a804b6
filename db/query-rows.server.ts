import { Column, type GetColumnData, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { ReadDatabase } from "./client.server.ts";

/**
 * Runs raw SQL and parses each row, so that every row type is checked. `bigint`, `numeric`, dates and timestamps arrive
 * as text; `columnValue` decodes those of table columns.
 */
export async function queryRows<Row extends z.ZodType>(
  db: ReadDatabase,
  row: Row,
  query: SQL,
): Promise<z.output<Row>[]> {
  const result = await db.execute(query);
  return result.map((one) => row.parse(one));
}

/** A field that raw SQL selects directly from a column: decoded and typed as in the table's schema. */
export function columnValue<C extends PgColumn>(column: C): z.ZodType<GetColumnData<C>> {
  return decoded<GetColumnData<C>>(column, { nullable: !column.notNull });
}

/** The same for a nullable column that is never null in the query's rows. */
export function presentValue<C extends PgColumn>(column: C): z.ZodType<GetColumnData<C, "raw">> {
  return decoded<GetColumnData<C, "raw">>(column, { nullable: false });
}

function decoded<T>(column: PgColumn, { nullable }: { nullable: boolean }): z.ZodType<T> {
  const isThere = (value: unknown) => value !== undefined && (value !== null || nullable);
  const missing = `${column.name} has no value`;
  // Most columns need no decoding, and a check is four times cheaper than a transformation.
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return z.custom<T>(isThere, missing);
  return z
    .unknown()
    .refine(isThere, missing)
    .transform((value) => (value === null ? null : column.mapFromDriverValue(value)))
    .pipe(z.custom<T>());
}

/**
 * An expression that a drizzle query selects, parsed with a schema. drizzle does not pass nulls to a decoder, so an
 * expression that may be null has a nullable schema for its type only.
 */
export function sqlValue<Value extends z.ZodType>(value: Value, expression: SQL): SQL<z.output<Value>> {
  return expression.mapWith((found: unknown): z.output<Value> => value.parse(found));
}

/**
 * Formats a list as a PostgreSQL array literal for one parameter, because the driver's array encoding takes longer than
 * the query. For IDs, days, words and numbers only.
 */
export function pgArray(values: Iterable<string | number>): string {
  return `{${[...values].join(",")}}`;
}
