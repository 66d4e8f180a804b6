import { Column, type GetColumnData, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Database } from "./client.server.ts";

/**
 * Runs raw SQL and parses each of its rows, so that no row has a type that nobody checks. `bigint` and `numeric` arrive
 * as text, and so do dates and instants; `columnValue` decodes those of tables.
 */
export async function queryRows<Row extends z.ZodType>(db: Database, row: Row, query: SQL): Promise<z.output<Row>[]> {
  const found = await db.execute(query);
  return found.map((one) => row.parse(one));
}

/** A field that raw SQL selects from a column as it is: decoded and typed as the table's schema says. */
export function columnValue<C extends PgColumn>(column: C): z.ZodType<GetColumnData<C>> {
  return decoded<GetColumnData<C>>(column, { nullable: !column.notNull });
}

/** The same of a nullable column that has a value in each row that the query selects. */
export function presentValue<C extends PgColumn>(column: C): z.ZodType<GetColumnData<C, "raw">> {
  return decoded<GetColumnData<C, "raw">>(column, { nullable: false });
}

function decoded<T>(column: PgColumn, { nullable }: { nullable: boolean }): z.ZodType<T> {
  const isThere = (value: unknown) => value !== undefined && (value !== null || nullable);
  const missing = `${column.name} has no value`;
  // Most columns need no decoding, and a check costs a quarter of a transformation.
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return z.custom<T>(isThere, missing);
  return z
    .unknown()
    .refine(isThere, missing)
    .transform((value) => (value === null ? null : column.mapFromDriverValue(value)))
    .pipe(z.custom<T>());
}

/**
 * An expression that a drizzle query selects, parsed by a schema. drizzle hands no null to a decoder: an expression that
 * may be null has a nullable schema for its type.
 */
export function sqlValue<Value extends z.ZodType>(value: Value, expression: SQL): SQL<z.output<Value>> {
  return expression.mapWith((found: unknown): z.output<Value> => value.parse(found));
}
