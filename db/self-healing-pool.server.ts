import { randomUUID } from "node:crypto";
import type { PendingQuery, Row, Sql, TransactionSql } from "postgres";
import { z } from "zod";
import { errorCode } from "#app/startup-error.ts";
import { type ConnectionTraits, sessionSettings } from "./connection-traits.server.ts";
import { connect } from "./driver.server.ts";
import { preparedStatementPolicy } from "./prepared-statement-policy.ts";
import { openSlots } from "./slots.ts";

/** The database did not respond in time. The outcome of a pending commit is unknown. */
class DatabaseDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";

  constructor(milliseconds: number) {
    super(`The database did not respond within ${milliseconds} ms`);
    this.name = "DatabaseDeadlineError";
  }
}

/** A query was sent by a transaction that is over. Its connection may be in another transaction by now. */
class TransactionOverError extends Error {
  constructor() {
    super("The transaction is over");
    this.name = "TransactionOverError";
  }
}

export type PoolIncident = "queries_canceled" | "pool_replaced";

type PoolOptions = {
  url: string;
  max: number;
  /**
   * The deadline in milliseconds of every query and transaction that has a connection, and of the wait for one; longer
   * than lock_timeout.
   */
  deadlineMs: number;
  traits: ConnectionTraits;
  /** Called with each new driver pool, before its first query. */
  onPool: (pool: Sql) => void;
  onIncident: (incident: PoolIncident) => void;
  observeQuery?: ObserveQuery | undefined;
};

/**
 * Who sends a query, for log lines about it, and its deadline in milliseconds, if it has another than the pool's; a
 * longer one also raises PostgreSQL's statement timeout.
 */
export type QueryLabel = { requestId?: string | undefined; job?: string | undefined; deadlineMs?: number };

/** Called with the text of each statement of a query builder or of raw SQL, without its parameters. */
export type ObserveQuery = (text: string, label: QueryLabel) => QueryObservation;

type QueryObservation = {
  /** The statement has a connection. */
  sent: () => void;
  /** It has a result, or it failed; not called for one that got no connection. */
  settled: (hasFailed: boolean) => void;
};

/** The connections of a pool, and the work that waits for one. */
export type PoolUsage = { size: number; inUse: number; waiting: number };

export type SelfHealingPool = {
  client: Sql;
  /** The same client, whose queries are observed with a label and have its deadline. */
  labeledClient: (label: QueryLabel) => Sql;
  usage: () => PoolUsage;
  close: () => Promise<void>;
};

const probeMs = 3_000;
/** How long work on a pool may take that is replaced while its database responds. */
const maxWorkSeconds = 120;

/**
 * A postgres.js pool that never hangs permanently. `client` wraps the current pool: `unsafe` and `begin`, the two
 * functions that drizzle uses, have a deadline that starts when a connection is free. After a missed deadline a new
 * connection probes the server: if the server does not respond, or reports no active session of this pool while the
 * late work is still unfinished, the pool is replaced; otherwise only the late queries are canceled. (Timeouts inside
 * PostgreSQL do not help when packets are lost.) A session that does not end even a canceled query, such as one that
 * waits for another machine, would occupy its connection: a new pool replaces that one, in which other work ends.
 */
export function openSelfHealingPool(options: PoolOptions): SelfHealingPool {
  let generation = newGeneration(options);
  const slots = openSlots(options.max);
  const late = new Set<LateWork>();
  const isWorthPreparing = preparedStatementPolicy();
  let healing = false;

  function handleMissedDeadline(affected: Generation, work: LateWork): void {
    // What a replaced pool still does says nothing about the one in its place.
    if (affected !== generation) return;
    late.add(work);
    if (healing) return;
    healing = true;
    heal().finally(() => {
      healing = false;
    });
  }

  async function heal(): Promise<void> {
    const current = generation;
    do {
      const lateWorks = [...late];
      const pids: number[] = [];
      for (const { query } of lateWorks) {
        // A pooler reports a process id of its own.
        const pid = query && options.traits.keepsSettings ? backendPid(query) : undefined;
        if (pid === undefined) query?.cancel();
        else pids.push(pid);
      }
      late.clear();
      const serverState = await probe(options, current.name, pids);
      // When the CPU was busy, the responses had arrived but were not read yet; the probe's response came after
      // them.
      const alive =
        serverState === "busy" || (serverState === "idle" && lateWorks.every(({ isSettled }) => isSettled()));
      if (current.closed) return;
      if (alive) {
        options.onIncident("queries_canceled");
        setTimeout(replaceOccupied, 2 * options.deadlineMs, current, lateWorks).unref();
      } else replace(current, 1);
    } while (late.size > 0 && current === generation);
    late.clear();
  }

  function replaceOccupied(current: Generation, canceled: readonly LateWork[]): void {
    if (current !== generation || current.closed || canceled.every(({ isSettled }) => isSettled())) return;
    replace(current, maxWorkSeconds);
  }

  /** Replaces the pool, whose work has some seconds to end. */
  function replace(current: Generation, seconds: number): void {
    options.onIncident("pool_replaced");
    generation = newGeneration(options);
    current.pool.end({ timeout: seconds }).catch(() => undefined);
  }

  function unsafe(label: QueryLabel, ...args: Parameters<Sql["unsafe"]>) {
    const { deadlineMs: limit = options.deadlineMs } = label;
    if (limit > options.deadlineMs || !options.traits.keepsSettings) return runInOwnTransaction(label, args);
    let asValues = false;
    let query: PendingQuery<Row[]> | undefined;
    // Before the wait for a connection, which may end in another request's turn.
    const observation = options.observeQuery?.(args[0], label);
    const response = slots.use(() => {
      observation?.sent();
      const current = generation;
      // biome-ignore lint/plugin/no-hand-typed-rows: the pool hands rows on as the driver gives them.
      const pending = current.pool.unsafe<Row[]>(...prepared(args));
      query = pending;
      if (asValues) pending.values();
      const bounded = underDeadline(pending, limit, (_error, isSettled) =>
        handleMissedDeadline(current, { query: pending, isSettled }),
      );
      observeEnd(bounded, observation);
      return bounded;
    }, limit);
    const values = () => {
      asValues = true;
      query?.values();
      return response;
    };
    return Object.assign(response, { values });
  }

  /** Runs a statement in a transaction of its own, which has timeouts of its own. */
  function runInOwnTransaction(label: QueryLabel, args: Parameters<Sql["unsafe"]>) {
    let asValues = false;
    const response = begin(label, (transaction) => {
      const query = transaction.unsafe(...args);
      return asValues ? query.values() : query;
    });
    const values = () => {
      asValues = true;
      return response;
    };
    return Object.assign(response, { values });
  }

  function prepared([text, parameters = [], queryOptions]: Parameters<Sql["unsafe"]>): Parameters<Sql["unsafe"]> {
    // Without parameters a text may contain several statements, which cannot be prepared.
    const prepare = options.traits.keepsStatements && parameters.length > 0 && isWorthPreparing(text);
    return [text, parameters, { ...queryOptions, prepare }];
  }

  function begin(label: QueryLabel, run: (transaction: TransactionSql) => Promise<unknown>): Promise<unknown> {
    const { deadlineMs: limit = options.deadlineMs } = label;
    const observe = options.observeQuery && ((text: string) => options.observeQuery?.(text, label));
    return slots.use(() => {
      const current = generation;
      const watch: TransactionWatch = { deadlineError: undefined, isOver: false, lastQuery: undefined };
      const work = current.pool.begin(async (transaction) => {
        if (watch.deadlineError) throw watch.deadlineError;
        // Sent together with what follows; if it fails, that fails too.
        const settings = transactionSettings(options, limit);
        if (settings) transaction.unsafe(settings).catch(() => undefined);
        try {
          return await run(watchedTransaction(transaction, { watch, prepared, observe }));
        } finally {
          watch.isOver = true;
        }
      });
      return underDeadline(work, limit, (error, isSettled) => {
        watch.deadlineError = error;
        handleMissedDeadline(current, { query: watch.lastQuery, isSettled });
      });
    }, limit);
  }

  function clientOf(label: QueryLabel): Sql {
    const send = unsafe.bind(undefined, label);
    const transact = begin.bind(undefined, label);
    return new Proxy(generation.pool, {
      get(_first, key) {
        if (key === "unsafe") return send;
        if (key === "begin") return transact;
        return Reflect.get(generation.pool, key);
      },
    });
  }

  return {
    client: clientOf({}),
    labeledClient: clientOf,
    usage() {
      const { running, waiting } = slots.usage();
      return { size: options.max, inUse: running, waiting };
    },
    async close() {
      generation.closed = true;
      await generation.pool.end({ timeout: 5 });
    },
  };
}

/** Work that missed its deadline. */
type LateWork = { query: PendingQuery<Row[]> | undefined; isSettled: () => boolean };

type Generation = { pool: Sql; name: string; closed: boolean };

function newGeneration(options: PoolOptions): Generation {
  const name = `endcap ${randomUUID().slice(0, 8)}`;
  const pool = connect(options.url, {
    max: options.max,
    // The driver would prepare even its own `commit`, which a pooler may run under another statement of the same name.
    prepare: options.traits.keepsStatements,
    connect_timeout: 4,
    keep_alive: 10,
    // The driver's own backoff grows to 20 s, long after the server is back.
    backoff: (retries: number) => Math.min(0.05 * retries, 0.5),
    onnotice: () => undefined,
    connection: {
      application_name: name,
      TimeZone: "UTC",
      ...(options.traits.keepsSettings && sessionSettings),
    },
  });
  options.onPool(pool);
  return { pool, name, closed: false };
}

/** Returns the statement that sets the settings of a transaction; undefined where those of its connection apply. */
function transactionSettings({ traits, deadlineMs }: PoolOptions, limit: number): string | undefined {
  const all = {
    ...(!traits.keepsSettings && sessionSettings),
    ...(limit > deadlineMs && { statement_timeout: limit }),
  };
  const settings = Object.entries(all).map(([name, value]) => `set local ${name} = ${value}`);
  return settings.length > 0 ? settings.join("; ") : undefined;
}

const probeRow = z.object({ busy: z.number() });

/**
 * Probes the server with a new connection: whether the named pool has active sessions, has none, or the server does not
 * respond. Cancels late queries. A server without a free slot for the probe counts as busy, because a new pool would
 * not get one either.
 */
async function probe({ url, traits }: PoolOptions, name: string, pids: number[]): Promise<"busy" | "idle" | "dead"> {
  const prepare = traits.keepsStatements;
  const connection = connect(url, {
    max: 1,
    connect_timeout: 2,
    fetch_types: false,
    prepare,
    onnotice: () => undefined,
  });
  try {
    const query = connection`
      select count(*)::int as busy,
        count(case when pid = any(${`{${pids}}`}::text::int[]) and state = 'active' and query_start < now() - interval '1 second'
                   then pg_cancel_backend(pid) end) as canceled
      from pg_stat_activity where application_name = ${name} and state <> 'idle'`;
    const [row] = z.array(probeRow).parse(await underDeadline(query, probeMs, () => undefined));
    return (row?.busy ?? 0) > 0 ? "busy" : "idle";
  } catch (error) {
    return errorCode(error) === tooManyConnections ? "busy" : "dead";
  } finally {
    connection.end({ timeout: 0 }).catch(() => undefined);
  }
}

const tooManyConnections = "53300";

/**
 * A timer that fires later than this, in milliseconds, shows that the process was busy and that responses may be
 * unread.
 */
const lateTimerMs = 100;

/** `onMissed` gets the error and a function that later tells whether the work has finished after all. */
function underDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  onMissed: (error: Error, isSettled: () => boolean) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let extensions = 0;
    let timer = setTimeout(check, milliseconds, performance.now() + milliseconds);
    /** Time in which the process was blocked is not the database's fault, so the deadline is extended by it. */
    function check(due: number): void {
      const delayMs = Math.min(performance.now() - due, milliseconds);
      if (delayMs > lateTimerMs && extensions < 3) {
        extensions += 1;
        timer = setTimeout(check, delayMs, performance.now() + delayMs);
        return;
      }
      const error = new DatabaseDeadlineError(milliseconds);
      reject(error);
      onMissed(error, () => settled);
    }
    const settle = () => {
      settled = true;
      clearTimeout(timer);
    };
    work.then(settle, settle);
    work.then(resolve, reject);
  });
}

type TransactionWatch = {
  deadlineError: Error | undefined;
  isOver: boolean;
  lastQuery: PendingQuery<Row[]> | undefined;
};
type Watching = {
  watch: TransactionWatch;
  prepared: (args: Parameters<Sql["unsafe"]>) => Parameters<Sql["unsafe"]>;
  observe: ((text: string) => QueryObservation | undefined) | undefined;
};

/**
 * The transaction as drizzle sees it: rejects queries after its deadline, so that it rolls back, and queries after its
 * end, which the driver would send on a connection that others use by then.
 */
function watchedTransaction<T extends TransactionSql>(transaction: T, watching: Watching): T {
  const { watch, prepared, observe } = watching;
  return new Proxy(transaction, {
    get(target, key) {
      if (key === "unsafe") {
        return (...args: Parameters<Sql["unsafe"]>) => {
          const rejection = rejectionOf(watch);
          if (rejection) return asQuery(Promise.reject(rejection));
          // biome-ignore lint/plugin/no-hand-typed-rows: the pool hands rows on as the driver gives them.
          const query = target.unsafe<Row[]>(...prepared(args));
          watch.lastQuery = query;
          const observation = observe?.(args[0]);
          observation?.sent();
          observeEnd(query, observation);
          return query;
        };
      }
      if (key === "savepoint") {
        return async (run: (inner: TransactionSql) => Promise<unknown>) => {
          const rejection = rejectionOf(watch);
          if (rejection) throw rejection;
          return target.savepoint((inner) => run(watchedTransaction(inner, watching)));
        };
      }
      return Reflect.get(target, key);
    },
  });
}

/** Returns why a transaction sends no query any more. */
function rejectionOf({ deadlineError, isOver }: TransactionWatch): Error | undefined {
  return deadlineError ?? (isOver ? new TransactionOverError() : undefined);
}

/**
 * Registers with the promise itself: the `then` of a driver's query sends it, and `values()` may still be called
 * before.
 */
function observeEnd(work: Promise<unknown>, observation: QueryObservation | undefined): void {
  if (!observation) return;
  Promise.prototype.then.call(
    work,
    () => observation.settled(false),
    () => observation.settled(true),
  );
}

/** The interface that drizzle uses of a query: awaiting it, or its `values()`. */
function asQuery(response: Promise<unknown>) {
  return Object.assign(response, { values: () => response });
}

/** Returns the process id of the session that runs a query; undefined while the query is queued. */
function backendPid(query: object): number | undefined {
  const state: unknown = Reflect.get(query, "state");
  const pid: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "pid") : undefined;
  return typeof pid === "number" ? pid : undefined;
}
