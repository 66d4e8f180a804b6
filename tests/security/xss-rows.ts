import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

/** A column that holds what people wrote: any text that no CHECK keeps to a list of words. */
const textColumnRow = z.object({
  table: z.string(),
  column: z.string(),
  type: z.enum(["text", "text[]", "jsonb"]),
  key: z.string(),
});
export type TextColumn = z.output<typeof textColumnRow>;

/** What a request is known by, counted or replayed by, lists of ids and numbers, digits held to a CHECK of several columns, and copies of what is kept to a list elsewhere; a page never shows it, and a session ends when it changes. */
const machinery =
  /^(sessions\.token_hash|api_keys\.secret_hash|users\.google_subject|ledger_transactions\.event_key|notifications\.event_key|payment_methods\.last_four$|.*_counts\.|account_(audience_)?days\.|deliver(ies\.creatives$|y_revisions\.))/;
const machineryTables = ["idempotency_keys", "rate_limits", "sign_in_attempts", "sign_in_devices"];

export const nameOf = ({ table, column }: TextColumn): string => `${table}.${column}`;

/** All of them, by the catalogue: a new one is under test from the day it is made. */
export async function textColumns(db: Database): Promise<TextColumn[]> {
  const rows = await queryRows(
    db,
    textColumnRow,
    sql`
      select c.relname as "table", a.attname as "column", format_type(a.atttypid, -1) as type, coalesce(p.key, 'ctid') as key
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      join lateral (
        select string_agg(quote_ident(k.attname), ',') as key from pg_index i
        join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary
      ) p on true
      where a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
        and not exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum])
      order by 1, 2`,
  );
  return rows.filter((one) => !machinery.test(nameOf(one)) && !machineryTables.includes(one.table));
}

/** Writes a text into every row of every such column, behind the back of validation, code and triggers. */
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
        from (select ctid as at, row_number() over (order by ${sql.raw(key)}) - 1 as number from ${sql.identifier(table)}) numbered
        join unnest(${sql.param(texts)}::text[]) with ordinality as texts (text, place) on texts.place - 1 = numbered.number % ${different}::int
        where row.ctid = numbered.at and row.${name} is not null`);
    }
  });
}

/** The JSON with the text for each text in it, so many objects or lists within one another; its keys stay. */
function withText(json: SQL, depth: number): SQL {
  const inner = depth > 0 ? withText(sql`one.value`, depth - 1) : sql`one.value`;
  // An id is cast to one before it is anything else.
  return sql`(case jsonb_typeof(${json}) when 'string' then case when ${json} #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${json} else to_jsonb(texts.text) end
    when 'object' then (select coalesce(jsonb_object_agg(one.key, ${inner}), '{}') from jsonb_each(${json}) one)
    when 'array' then (select coalesce(jsonb_agg(${inner}), '[]') from jsonb_array_elements(${json}) one)
    else ${json} end)`;
}
