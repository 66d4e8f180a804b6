import type { Sql, TransactionSql } from "postgres";
import { z } from "zod";
import { inboxTables } from "#db/distribution/inbox-tables.ts";
import type { Manifest } from "./manifest.ts";

/** The schemas with data: the product's tables, and the queue of jobs. */
const schemas = ["public", "graphile_worker"];

const tableRow = z.object({ name: z.string(), columns: z.array(z.string()) });
const sequenceRow = z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() });
const nameRow = z.object({ name: z.string() });
const hashRow = z.object({ hash: z.string() });
const foreignKeyRow = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/**
 * What distributed facts are read and summed with (docs/decisions/0107), and another database makes of the facts
 * itself.
 */
const derived = ["line_item_audience_days", ...inboxTables];

/**
 * Returns the tables with the columns that are stored, all names quoted as SQL needs them. A partitioned table is one:
 * its rows find their partitions again when they are restored.
 */
export async function listTables(sql: Sql | TransactionSql): Promise<Manifest["tables"]> {
  const rows = await sql`
    select format('%I.%I', n.nspname, c.relname) as name,
           array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname in ${sql(schemas)} and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ${sql(derived)}
    group by n.nspname, c.relname order by 1`;
  return z.array(tableRow).parse(rows);
}

/** Returns the sequences' positions. A sequence that was never used starts with `value`. */
export async function listSequences(sql: Sql | TransactionSql): Promise<Manifest["sequences"]> {
  const rows = await sql`
    select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value)::text as value,
           last_value is not null as "isCalled"
    from pg_sequences where schemaname in ${sql(schemas)} order by 1`;
  return z.array(sequenceRow).parse(rows);
}

/** Returns the hashes of the migrations that ran, in their order. */
export async function listMigrations(sql: Sql | TransactionSql): Promise<string[]> {
  const rows = await sql`select hash from drizzle.__drizzle_migrations order by id`;
  return z
    .array(hashRow)
    .parse(rows)
    .map(({ hash }) => hash);
}

/** Returns the partitions, which may have triggers of their own. */
export async function listPartitions(sql: TransactionSql): Promise<string[]> {
  const rows = await sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${sql(schemas)} and c.relkind = 'r' and c.relispartition`;
  return z
    .array(nameRow)
    .parse(rows)
    .map(({ name }) => name);
}

/**
 * Returns all foreign keys, with what creates them again. One of a partitioned table creates those of its partitions.
 */
export async function listForeignKeys(sql: TransactionSql) {
  const rows = await sql`
    select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and k.conparentid = 0 and n.nspname in ${sql(schemas)}`;
  return z.array(foreignKeyRow).parse(rows);
}
