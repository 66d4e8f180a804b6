import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { type SealedEntry, sealedColumns, sealedEntry } from "./audit-chain.ts";

/** Reads audit entries in the form that their hashes cover, in the order of their IDs. */
export async function readSealedEntries(
  db: Database,
  { where, limit }: { where: SQL; limit: number },
): Promise<SealedEntry[]> {
  return queryRows(
    db,
    sealedEntry,
    sql`select ${columns} from audit_entries entry where ${where} order by entry.id limit ${limit}`,
  );
}

/** A timestamp as text depends on the connection's time zone; its milliseconds do not. */
const columns = sql.raw(
  sealedColumns
    .map((name) => {
      const value = name === "created_at" ? "(extract(epoch from entry.created_at) * 1000)::bigint" : `entry."${name}"`;
      return `${value}::text as "${name}"`;
    })
    .join(", "),
);
