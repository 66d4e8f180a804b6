import { sql } from "drizzle-orm";
import { z } from "zod";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { database, type OpenOptions, openSecondPool } from "../client.server.ts";
import { findConnectionTraits } from "../connection-traits.server.ts";
import { countMissingMigrations } from "../migration-history.server.ts";
import { queryRows } from "../query-rows.server.ts";
import { openLagHistory, parseLsn } from "./lag-history.ts";

/** Why a replica is not used, or that it is. */
export type ReplicaState =
  | "used"
  | "replica_unreachable"
  | "replica_not_in_recovery"
  | "replica_of_another_cluster"
  | "replica_schema_behind"
  | "replica_lags";

export type WatchOptions = Pick<OpenOptions, "observeQuery" | "onIncident"> & {
  url: string;
  /** A replica that is further behind is not used, in milliseconds. */
  maxLagMs: number;
  /** The setting DATABASE_PREPARE. */
  prepare: boolean | undefined;
};

/** Reports take more of a replica than of the primary, but each is one transaction. */
const maxConnections = 5;

const beatRow = z.object({ lsn: z.string().transform(parseLsn), cluster: z.string() });
const replicaRow = z.object({
  in_recovery: z.boolean(),
  lsn: z
    .string()
    .nullable()
    .transform((text) => (text === null ? undefined : parseLsn(text))),
  cluster: z.string(),
});

/**
 * Watches a streaming replica of the process's database. Each `measure` writes a beat into the primary's log, a message
 * that changes no table, and reads how far the replica has replayed the log: figures of an idle primary are therefore
 * as exact as those of a busy one, and no clock but this process's counts. Never rejects.
 */
export function watchReplica({ url, maxLagMs, prepare, observeQuery, onIncident }: WatchOptions) {
  const history = openLagHistory();
  let pool: ReturnType<typeof openSecondPool> | undefined;
  let cluster: string | undefined;
  let refusal: Exclude<ReplicaState, "used" | "replica_lags"> | undefined = "replica_unreachable";
  let reason: string | undefined;
  let measuredAt = Number.NEGATIVE_INFINITY;

  const lagMs = () => Date.now() - (history.asOf() ?? Number.NEGATIVE_INFINITY);

  async function beat(): Promise<void> {
    const at = Date.now();
    // Transactional, so that the commit flushes it; before version 17 there is no other way.
    const query = sql`select pg_logical_emit_message(true, 'endcap', '')::text as lsn, system_identifier::text as cluster from pg_control_system()`;
    const [row] = await queryRows(database(), beatRow, query);
    if (!row) return;
    cluster = row.cluster;
    history.add({ at, lsn: row.lsn });
  }

  async function connect(): Promise<NonNullable<typeof pool>> {
    if (pool) return pool;
    const traits = await findConnectionTraits(url, { prepare, setting: "DATABASE_REPLICA_URL" });
    pool = openSecondPool({
      url,
      max: maxConnections,
      traits,
      observeQuery,
      onIncident: onIncident ?? (() => undefined),
    });
    return pool;
  }

  async function examine(): Promise<typeof refusal> {
    const db = (await connect()).database({ job: "watch_replica" });
    const [row] = await queryRows(
      db,
      replicaRow,
      sql`select pg_is_in_recovery() as in_recovery, case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as lsn,
        system_identifier::text as cluster from pg_control_system()`,
    );
    if (!row?.in_recovery || row.lsn === undefined) return "replica_not_in_recovery";
    if (cluster !== undefined && row.cluster !== cluster) return "replica_of_another_cluster";
    if (refusal !== undefined && (await isSchemaBehind(db))) return "replica_schema_behind";
    history.replayed(row.lsn);
    return undefined;
  }

  return {
    async measure(): Promise<void> {
      // Without the primary the lag grows, and nothing can be read from it anyway.
      await beat().catch(() => undefined);
      try {
        refusal = await examine();
        reason = undefined;
        measuredAt = performance.now();
      } catch (error) {
        refusal = "replica_unreachable";
        reason = reasonOf(error);
      }
    },
    /** The replica did not answer: it is not used until the next measurement succeeds. */
    suspend() {
      refusal = "replica_unreachable";
    },
    state: (): ReplicaState => refusal ?? (lagMs() > maxLagMs ? "replica_lags" : "used"),
    /** Returns more about the state, for an operator. */
    reason: () => reason,
    lagMs: () => (history.asOf() === undefined ? undefined : lagMs()),
    /** Returns the replica's pool and as of when its rows are at least; undefined if it is not to be used now. */
    current() {
      const asOf = history.asOf();
      const isMeasured = performance.now() - measuredAt < maxMeasurementAgeMs;
      if (!pool || asOf === undefined || refusal || !isMeasured || lagMs() > maxLagMs) return undefined;
      return { pool, asOf: new Date(asOf) };
    },
    close: async () => pool?.close(),
  };
}

/** A replica that has not answered for this long, in milliseconds, may be waiting for nothing. */
const maxMeasurementAgeMs = 3_000;

async function isSchemaBehind(db: Parameters<typeof countMissingMigrations>[0]): Promise<boolean> {
  try {
    return (await countMissingMigrations(db)) > 0;
  } catch (error) {
    // Not even the table of migrations has arrived.
    const code = error instanceof Error ? errorCode(error.cause) : undefined;
    if (code === "42P01" || code === "3F000") return true;
    throw error;
  }
}

/** A driver's message may name hosts and roles. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof StartupError) return error.message;
  return errorCode(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
