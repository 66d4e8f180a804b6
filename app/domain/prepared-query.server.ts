import { type Database, sendLabeled, unlabeledDatabase } from "#db/client.server.ts";

type Prepared<Result> = { execute: (values?: Record<string, unknown>) => Promise<Result> };

/**
 * Prepares a query's text once per pool, for queries that many requests run: drizzle takes as long to build a query as
 * PostgreSQL to run it. Each request sends it under its own label.
 */
export function preparedQuery<Result>(prepare: (db: Database) => Prepared<Result>): (db: Database) => Prepared<Result> {
  const queries = new WeakMap<Database, Prepared<Result>>();
  return (db) => {
    const pool = unlabeledDatabase(db);
    const query = queries.get(pool) ?? prepare(pool);
    queries.set(pool, query);
    return { execute: (values) => sendLabeled(db, () => query.execute(values)) };
  };
}
