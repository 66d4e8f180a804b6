import type { Database } from "#db/client.server.ts";

/** A query whose text is made once for each pool: for those that many requests run. */
export function preparedOnce<Query extends object>(prepare: (db: Database) => Query): (db: Database) => Query {
  const made = new WeakMap<Database, Query>();
  return (db) => {
    const query = made.get(db) ?? prepare(db);
    made.set(db, query);
    return query;
  };
}
