import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

/** A column that can hold text from users: any text column without a CHECK of its own. */
const textColumnRow = z.object({
  table: z.string(),
  column: z.string(),
  type: z.enum(["text", "text[]", "jsonb"]),
  key: z.string(),
});
export type TextColumn = z.output<typeof textColumnRow>;

/**
 * Columns that no page shows: hashes and keys that identify or count requests, lists of ids and numbers, digits that a
 * CHECK over several columns limits, and copies of values that are limited elsewhere.
 */
const internalColumns =
  /^(sessions\.token_hash|api_keys\.secret_hash|users\.google_subject|ledger_transactions\.event_key|notifications\.event_key|payment_methods\.last_four$|.*_counts\.|account_(audience_)?days\.|deliver(ies\.creatives$|y_revisions\.))/;
const internalTables = ["idempotency_keys", "rate_limits", "sign_in_attempts", "sign_in_devices"];

export const nameOf = ({ table, column }: TextColumn): string => `${table}.${column}`;

/** Reads all text columns from the catalog, so that a new column is tested from the start. */
export async function textColumns(db: Database): Promise<TextColumn[]> {
  const rows = await queryRows(
    db,
    textColumnRow,
    sql`
      select c.relname as "table", a.attname as "column", format_type(a.atttypid, -1) as type, coalesce(p.key, 'ctid') as key
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      join lateral (
        select string_agg(quote_ident(k.attname), ',') as key from pg_index i
        join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary
      ) p on true
      where a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
        and not exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum])
      order by 1, 2`,
  );
  return rows.filter((one) => !internalColumns.test(nameOf(one)) && !internalTables.includes(one.table));
}

/** Writes a text into every row of every text column, bypassing validation, code and triggers. */
export async function fillTextColumns(
  db: Database,
  columns: readonly TextColumn[],
  textOf: (column: number, row: number) => string,
  different: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const [index, { table, column, type, key }] of columns.entries()) {
      const texts = Array.from({ length: different }, (_, row) => textOf(index, row));
      const name = sql.identifier(column);
      const value = {
        text: sql`texts.text`,
        "text[]": sql`array[texts.text]`,
        jsonb: withText(sql`row.${name}`, 2),
      }[type];
      await tx.execute(sql`
        update ${sql.identifier(table)} row set ${name} = ${value}
        from (select tableoid as part, ctid as at, row_number() over (order by ${sql.raw(orderOf(column, key))}) - 1 as number from ${sql.identifier(table)}) numbered
        join unnest(${sql.param(texts)}::text[]) with ordinality as texts (text, place) on texts.place - 1 = numbered.number % ${different}::int
        where row.tableoid = numbered.part and row.ctid = numbered.at and row.${name} is not null`);
    }
  });
}

/**
 * Returns the order in which rows get their texts. Rows whose keys differ only in this column follow each other, so
 * that they get different texts: which others there are depends on the day of the demo data.
 */
function orderOf(column: string, key: string): string {
  const names = key.split(",");
  return names.includes(column) ? [...names.filter((name) => name !== column), column].join(",") : key;
}

/** Returns JSON whose texts are all replaced by this one, to a depth of nested objects and lists; keys stay. */
function withText(json: SQL, depth: number): SQL {
  const inner = depth > 0 ? withText(sql`one.value`, depth - 1) : sql`one.value`;
  // An id is parsed as one before anything else reads it.
  return sql`(case jsonb_typeof(${json}) when 'string' then case when ${json} #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${json} else to_jsonb(texts.text) end
    when 'object' then (select coalesce(jsonb_object_agg(one.key, ${inner}), '{}') from jsonb_each(${json}) one)
    when 'array' then (select coalesce(jsonb_agg(${inner}), '[]') from jsonb_array_elements(${json}) one)
    else ${json} end)`;
}
