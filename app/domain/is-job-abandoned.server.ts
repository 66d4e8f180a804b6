import { type SQL, sql } from "drizzle-orm";

/**
 * Returns a condition on a row that still waits: a worker took the row's job, the one of the queue with this key, more
 * than `staleAfterMs` ago by the database's clock, which dates the lock. The worker died before it claimed the row, and
 * the queue releases its job only four hours later.
 */
export function isJobAbandoned({ key, staleAfterMs }: { key: SQL; staleAfterMs: number }): SQL {
  return sql`exists (select from graphile_worker.jobs job where job.key = ${key}
    and job.locked_at < now() - ${staleAfterMs} * interval '1 millisecond')`;
}
