import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Compares two email addresses without case. An index of users (`users_email`) finds `users.email` as the first. */
export function isSameAddress(column: PgColumn, address: PgColumn | string): SQL {
  return sql`lower(${column}) = lower(${address})`;
}
