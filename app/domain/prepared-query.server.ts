import type { Database } from "#db/client.server.ts";

/** Prepares a query's text once per pool, for queries that many requests run. */
export function preparedQuery<Query extends object>(prepare: (db: Database) => Query): (db: Database) => Query {
  const queries = new WeakMap<Database, Query>();
  return (db) => {
    const query = queries.get(db) ?? prepare(db);
    queries.set(db, query);
    return query;
  };
}
