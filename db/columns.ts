import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, check, customType, timestamp, uuid } from "drizzle-orm/pg-core";

/** Shared column definitions. Timestamps are `timestamptz` named `*At`, amounts integer cents named `*Cents`. */
export function primaryId<T extends string>() {
  return uuid("id").$type<T>().primaryKey();
}

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

export function instant(name: string) {
  return timestamp(name, { withTimezone: true, mode: "date", precision: 3 });
}

export function createdAt() {
  return instant("created_at").notNull().defaultNow();
}

/**
 * Cents fit the integers that a double represents exactly (see `money.ts`), so they are numbers; micros do not and stay
 * bigint.
 */
export function cents(name: string) {
  return bigint(name, { mode: "number" });
}

/**
 * A name as searches compare its beginning: in lower case and ordered by code points, so that an index finds a prefix
 * in any locale.
 */
export function searchKey(name: AnyPgColumn) {
  return sql`(lower(${name}) collate "C")`;
}

/** A CHECK that a text column holds one of the values of a tuple. */
export function oneOf(name: string, column: { name: string }, words: readonly string[]) {
  const list = words.map((word) => `'${word}'`).join(", ");
  return check(name, sql.raw(`"${column.name}" in (${list})`));
}

/** The same for a column that is an array of values. */
export function allOf(name: string, column: { name: string }, words: readonly string[]) {
  const list = words.map((word) => `'${word}'`).join(", ");
  return check(name, sql.raw(`"${column.name}" <@ array[${list}]::text[]`));
}
