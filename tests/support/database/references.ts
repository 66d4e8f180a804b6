import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

const referenceRow = z.object({ name: z.string(), columnName: z.string() });

/** Returns the columns that refer to a table, with the names of their tables; partitions are left out. */
export function listReferences(db: Database, table: "accounts" | "users") {
  return queryRows(
    db,
    referenceRow,
    sql`select distinct reference.conrelid::regclass::text as name, columns.attname as "columnName"
      from pg_constraint reference
      join pg_attribute columns on columns.attrelid = reference.conrelid and columns.attnum = reference.conkey[1]
      where reference.confrelid = ${table}::regclass and reference.contype = 'f' and reference.conparentid = 0
      order by 1, 2`,
  );
}
