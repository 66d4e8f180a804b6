import type { Database } from "#db/client.server.ts";
import { compileRowMapper, isFieldList, type RowMapper } from "#db/row-mapper.server.ts";
import { invariant } from "./invariant.ts";

type Query = { sql: string; params: unknown[] };
/** What drizzle's `prepare` returns for a select. */
export type BuiltQuery<Row> = { getQuery: () => Query; execute: () => Promise<Row[]> };
type Prepared<Row> = { execute: (values?: Record<string, unknown>) => Promise<Row[]> };

/**
 * Builds the text of a select and what maps its rows once, for queries that many requests run: drizzle takes as long to
 * build a query as PostgreSQL to run it. Each request sends it on its own database: under its own label, or in its
 * transaction.
 */
export function preparedQuery<Row>(build: (db: Database) => BuiltQuery<Row>): (db: Database) => Prepared<Row> {
  let known: { query: Query; toRow: RowMapper<Row> } | undefined;
  return (db) => {
    known ??= compile(build(db));
    const { query, toRow } = known;
    const toRows = (rows: unknown[][]) => rows.map(toRow);
    type Result = { execute: Row[]; all: never; values: never };
    return db._.session.prepareQuery<Result>(query, undefined, undefined, true, toRows);
  };
}

function compile<Row>(built: BuiltQuery<Row>) {
  const query = built.getQuery();
  const fields: unknown = Reflect.get(built, "fields");
  invariant(isFieldList(fields), "prepared query selects no fields", { text: query.sql });
  return { query, toRow: compileRowMapper<Row>(fields, Reflect.get(built, "joinsNotNullableMap")) };
}
