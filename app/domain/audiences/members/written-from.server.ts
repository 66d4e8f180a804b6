import { type SQL, sql } from "drizzle-orm";

/**
 * An expression that says whether a column of `audiences` may be written already. The migration that brought it wrote
 * into its comment from when on no server of the version before, which does not read it, is left.
 */
export function mayBeWritten(column: "deltas" | "object_generation"): SQL {
  return sql`(
    select now() >= substring(col_description(attrelid, attnum) from 'written from (.*)')::timestamptz
    from pg_attribute where attrelid = 'audiences'::regclass and attname = ${column})`;
}
