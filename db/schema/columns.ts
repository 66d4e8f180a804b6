import { sql } from "drizzle-orm";
import { bigint, check, customType, timestamp, uuid } from "drizzle-orm/pg-core";

/** What the tables share. Instants are `timestamptz` named `*At`, amounts integer cents named `*Cents`. */
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

/** Cents fit a double's exact integers (see `money.ts`), so they are numbers; micros are not and stay bigint. */
export function cents(name: string) {
  return bigint(name, { mode: "number" });
}

/** A CHECK that a text column holds one of the words of a vocabulary's tuple. */
export function oneOf(name: string, column: { name: string }, words: readonly string[]) {
  const list = words.map((word) => `'${word}'`).join(", ");
  return check(name, sql.raw(`"${column.name}" in (${list})`));
}

/** The same for a column that is an array of words. */
export function allOf(name: string, column: { name: string }, words: readonly string[]) {
  const list = words.map((word) => `'${word}'`).join(", ");
  return check(name, sql.raw(`"${column.name}" <@ array[${list}]::text[]`));
}
