import { type SQL, sql } from "drizzle-orm";

/**
 * Returns a condition on a row that still waits, although its job, the one of the queue with this key, does not run. A
 * worker took the job more than `staleAfterMs` ago by the database's clock, which dates the lock: it died before it
 * claimed the row, and the queue releases the job only four hours later. Or the job has used up its attempts: those
 * that failed before the row was claimed, while the database did not respond, count for the job alone.
 */
export function isJobAbandoned({ key, staleAfterMs }: { key: SQL; staleAfterMs: number }): SQL {
  return sql`exists (select from graphile_worker.jobs job where job.key = ${key}
    and (job.locked_at < now() - ${staleAfterMs} * interval '1 millisecond' or (job.locked_at is null and job.attempts >= job.max_attempts)))`;
}
