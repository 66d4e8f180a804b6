import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

/** A constraint that the database enforces whatever the code does, as its catalog describes it. */
const guaranteeRow = z.object({
  name: z.string(),
  table: z.string(),
  kind: z.enum(["check", "foreign key", "unique", "trigger"]),
  columns: z.array(z.string()),
  /** The definition as PostgreSQL prints it. */
  definition: z.string(),
  /** The condition of a partial index. */
  predicate: z.string().nullable(),
});
export type Guarantee = z.output<typeof guaranteeRow>;

const columnRow = z.object({ table: z.string(), name: z.string(), type: z.string() });
type Column = z.output<typeof columnRow>;
export type Catalog = { guarantees: Guarantee[]; columns: Column[] };

/**
 * Returns all constraints except surrogate keys (`id`) and keys that only foreign keys refer to. A new constraint is
 * tested automatically.
 */
export async function readCatalog(db: Database): Promise<Catalog> {
  const guarantees = await queryRows(
    db,
    guaranteeRow,
    sql`
      select k.conname as name, t.relname as "table", case k.contype when 'c' then 'check' else 'foreign key' end as kind,
        (select array_agg(a.attname::text order by place) from unnest(k.conkey) with ordinality as key (attnum, place)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = key.attnum) as columns,
        pg_get_constraintdef(k.oid) as definition, null as predicate
      from pg_constraint k join pg_class t on t.oid = k.conrelid
      where k.connamespace = 'public'::regnamespace and k.contype in ('c', 'f') and not t.relispartition
      union all
      select c.relname, t.relname, 'unique',
        (select array_agg(coalesce(a.attname::text, substring(pg_get_indexdef(c.oid, place::int, true) from '[(]([a-z_]+)')) order by place)
          from unnest(i.indkey) with ordinality as key (attnum, place)
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = key.attnum),
        pg_get_indexdef(c.oid), pg_get_expr(i.indpred, t.oid)
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace and i.indisunique and not t.relispartition
        and not exists (select 1 from pg_attribute a where a.attrelid = t.oid and a.attnum = any (i.indkey) and a.attname = 'id')
      union all
      select g.tgname, t.relname, 'trigger', '{}', pg_get_triggerdef(g.oid), null
      from pg_trigger g join pg_class t on t.oid = g.tgrelid
      where t.relnamespace = 'public'::regnamespace and not t.relispartition and not g.tgisinternal
      order by 2, 1`,
  );
  const columns = await queryRows(
    db,
    columnRow,
    sql`
      select t.relname as "table", a.attname as name, format_type(a.atttypid, -1) as type
      from pg_attribute a join pg_class t on t.oid = a.attrelid and t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace
      where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  );
  return { guarantees, columns };
}

/** Returns an UPDATE of the first row that `where` finds. */
export function change(table: string, values: string, where = "true"): SQL {
  const row = "(tableoid, ctid)";
  return sql.raw(
    `update "${table}" set ${values} where ${row} = (select tableoid, ctid from "${table}" where ${where} limit 1)`,
  );
}

/** Returns a statement that violates a guarantee, derived from its definition; null if it needs a hand-written one. */
export function attemptAt(catalog: Catalog, guarantee: Guarantee): SQL | null {
  const { table, kind, columns, definition } = guarantee;
  if (kind === "unique") return duplicateOf(catalog, guarantee);
  if (kind === "foreign key") {
    const others = catalog.guarantees.filter((one) => one.kind === kind && one.table === table && one !== guarantee);
    const lost = columns.find((column) => !others.some((one) => one.columns.includes(column))) ?? columns[0];
    const type = catalog.columns.find((one) => one.table === table && one.name === lost)?.type;
    const whole = columns.map((column) => `"${column}" is not null or ${column === lost}`);
    return change(table, `"${lost}" = ${type === "uuid" ? "gen_random_uuid()" : "0"}`, `(${whole.join(") and (")})`);
  }
  const isValueList = kind === "check" && columns.length === 1 && /(= ANY|<@) \(?ARRAY\[/.test(definition);
  if (isValueList)
    return change(table, `"${columns[0]}" = ${definition.includes("<@") ? "'{nonsense}'" : "'nonsense'"}`);
  return null;
}

/** Returns an INSERT that repeats this key and has new values for all other keys. */
function duplicateOf({ guarantees, columns }: Catalog, { table, name, columns: again, predicate }: Guarantee) {
  const keys = guarantees.filter((one) => one.table === table && one.kind === "unique" && one.name !== name);
  const others = keys.flatMap((key) => key.columns.filter((column) => !again.includes(column)));
  const fresh = new Set(["id", ...others]);
  const pointing = new Set(
    guarantees.flatMap((one) => (one.table === table && one.kind === "foreign key" ? one.columns : [])),
  );
  const own = columns.filter((one) => one.table === table);
  const values = own.map(({ name, type }) =>
    fresh.has(name) && !pointing.has(name) ? newValue(name, type) : `"${name}"`,
  );
  return sql.raw(`
    insert into "${table}" (${own.map((column) => `"${column.name}"`).join(", ")})
    select ${values.join(", ")} from "${table}" where ${predicate ?? "true"} limit 1`);
}

function newValue(name: string, type: string): string {
  if (type === "uuid") return "gen_random_uuid()";
  if (type === "date") return `"${name}" - 400`;
  if (type === "smallint") return `"${name}" + 1`;
  if (type === "bytea") return "sha256(gen_random_uuid()::text::bytea)";
  if (type !== "text") return `"${name}"`;
  const hex = "encode(sha256(gen_random_uuid()::text::bytea), 'hex')";
  return name === "file_key" ? `left(${hex}, 32)` : hex;
}

/** Returns the statement that drops the guarantee. */
export function dropGuarantee({ name, table, kind }: Guarantee): SQL {
  if (kind === "trigger") {
    // Partitions have triggers of TRUNCATE of their own.
    return sql.raw(`
      do $$ declare at regclass; begin
        for at in select tgrelid from pg_trigger where tgname = '${name}' and tgparentid = 0
          and (tgrelid = '"${table}"'::regclass or tgrelid in (select inhrelid from pg_inherits where inhparent = '"${table}"'::regclass))
        loop execute format('drop trigger "${name}" on %s', at); end loop;
      end $$`);
  }
  if (kind !== "unique") return sql.raw(`alter table "${table}" drop constraint "${name}"`);
  return sql.raw(`
    do $$ begin
      if exists (select 1 from pg_constraint where conname = '${name}') then alter table "${table}" drop constraint "${name}" cascade;
      else drop index "${name}" cascade; end if;
    end $$`);
}
