import type { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { PendingQuery, Row, Sql, TransactionSql } from "postgres";
import { z } from "zod";
import { errorCode } from "#app/start-error.ts";
import { postgres } from "./driver.server.ts";
import { openSlots } from "./slots.ts";
import { statementsWorthPreparing } from "./worth-preparing.ts";

/** The database did not answer in time. Whether a commit under way took effect is not known. */
class DatabaseDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";

  constructor(milliseconds: number) {
    super(`The database did not answer within ${milliseconds} ms`);
    this.name = "DatabaseDeadlineError";
  }
}

export type PoolIncident = "queries_cancelled" | "pool_replaced";

type PoolOptions = {
  url: string;
  max: number;
  /** For every query and transaction once it has a connection, and for the wait for one; milliseconds, longer than lock_timeout. */
  deadlineMs: number;
  /** Overrides the deadline for the calls made under it; a longer one is what PostgreSQL lets a statement take, too. */
  deadlineOverride: AsyncLocalStorage<number>;
  /** Called with each new driver pool, before its first query. */
  onPool: (pool: Sql) => void;
  onIncident: (incident: PoolIncident) => void;
};

export type HealingPool = { client: Sql; close: () => Promise<void> };

const probeMs = 3_000;

/**
 * A postgres.js pool that never hangs for good. `client` stands for the pool of the moment: `unsafe` and `begin`, the two
 * doors that drizzle uses, are held to a deadline, which begins when a connection is free. When one is missed, a fresh
 * connection looks: if the server does not answer it, or answers that no session of this pool is at work while what was
 * late is late still, the pool is thrown away and made anew; else only the late queries are cancelled. (Timeouts inside
 * PostgreSQL do not help when packets vanish.)
 */
export function openHealingPool(options: PoolOptions): HealingPool {
  let generation = newGeneration(options);
  const slots = openSlots(options.max);
  const late = new Set<LateWork>();
  const isWorthPreparing = statementsWorthPreparing();
  let healing = false;

  function deadline(): number {
    return options.deadlineOverride.getStore() ?? options.deadlineMs;
  }

  function missed(of: Generation, work: LateWork): void {
    late.add(work);
    if (of !== generation) return;
    if (healing) return;
    healing = true;
    heal().finally(() => {
      healing = false;
    });
  }

  async function heal(): Promise<void> {
    const of = generation;
    do {
      const works = [...late];
      const pids: number[] = [];
      for (const { query } of works) {
        const pid = query && backendPid(query);
        if (pid === undefined) query?.cancel();
        else pids.push(pid);
      }
      late.clear();
      const found = await probe(options.url, of.name, pids);
      // Where the processor was busy the answers were there and not yet read; the probe's came after them.
      const alive = found === "busy" || (found === "idle" && works.every(({ isSettled }) => isSettled()));
      if (of.closed) return;
      options.onIncident(alive ? "queries_cancelled" : "pool_replaced");
      if (!alive) {
        generation = newGeneration(options);
        of.pool.end({ timeout: 1 }).catch(() => undefined);
      }
    } while (late.size > 0 && of === generation);
    late.clear();
  }

  function unsafe(...args: Parameters<Sql["unsafe"]>) {
    const limit = deadline();
    if (limit > options.deadlineMs) return alone(args);
    let asValues = false;
    let query: PendingQuery<Row[]> | undefined;
    const answer = slots.use(() => {
      const of = generation;
      // biome-ignore lint/plugin/no-hand-typed-rows: the pool hands rows on as the driver gives them.
      const sent = of.pool.unsafe<Row[]>(...prepared(args));
      query = sent;
      if (asValues) sent.values();
      return underDeadline(sent, limit, (_error, isSettled) => missed(of, { query: sent, isSettled }));
    }, limit);
    const values = () => {
      asValues = true;
      query?.values();
      return answer;
    };
    return Object.assign(answer, { values });
  }

  /** In a transaction of its own, which may take longer than others. */
  function alone(args: Parameters<Sql["unsafe"]>) {
    let asValues = false;
    const answer = begin((transaction) => {
      const query = transaction.unsafe(...args);
      return asValues ? query.values() : query;
    });
    const values = () => {
      asValues = true;
      return answer;
    };
    return Object.assign(answer, { values });
  }

  function prepared([text, parameters = [], given]: Parameters<Sql["unsafe"]>): Parameters<Sql["unsafe"]> {
    // Without parameters a text may be several statements, and those cannot be prepared.
    return [text, parameters, { ...given, prepare: parameters.length > 0 && isWorthPreparing(text) }];
  }

  function begin(run: (transaction: TransactionSql) => Promise<unknown>): Promise<unknown> {
    const limit = deadline();
    return slots.use(() => {
      const of = generation;
      const watch: TransactionWatch = { over: undefined, last: undefined };
      const work = of.pool.begin((transaction) => {
        if (watch.over) throw watch.over;
        // Sent along with what follows; if it fails, that fails.
        if (limit > options.deadlineMs)
          transaction.unsafe(`set local statement_timeout = ${limit}`).catch(() => undefined);
        return run(watchedTransaction(transaction, { watch, prepared }));
      });
      return underDeadline(work, limit, (error, isSettled) => {
        watch.over = error;
        missed(of, { query: watch.last, isSettled });
      });
    }, limit);
  }

  return {
    client: new Proxy(generation.pool, {
      get(_first, key) {
        if (key === "unsafe") return unsafe;
        if (key === "begin") return begin;
        return Reflect.get(generation.pool, key);
      },
    }),
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
  const pool = postgres(options.url, {
    max: options.max,
    connect_timeout: 4,
    keep_alive: 10,
    // The driver's own grows to 20 s, long after the server is back.
    backoff: (retries: number) => Math.min(0.05 * retries, 0.5),
    onnotice: () => undefined,
    connection: {
      application_name: name,
      TimeZone: "UTC",
      statement_timeout: 5_000,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
    },
  });
  options.onPool(pool);
  return { pool, name, closed: false };
}

const probeRow = z.object({ busy: z.number() });

/**
 * What a new connection to the server finds: the pool named so at work, at rest, or no answer. It cancels what is late.
 * A server without a slot for the probe counts as busy: another pool would not get one either.
 */
async function probe(url: string, name: string, pids: number[]): Promise<"busy" | "idle" | "dead"> {
  const connection = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => undefined });
  try {
    const asked = connection`
      select count(*)::int as busy,
        count(case when pid = any(${`{${pids}}`}::text::int[]) and state = 'active' and query_start < now() - interval '1 second'
                   then pg_cancel_backend(pid) end) as cancelled
      from pg_stat_activity where application_name = ${name} and state <> 'idle'`;
    const [answer] = z.array(probeRow).parse(await underDeadline(asked, probeMs, () => undefined));
    return (answer?.busy ?? 0) > 0 ? "busy" : "idle";
  } catch (error) {
    return errorCode(error) === tooManyConnections ? "busy" : "dead";
  } finally {
    connection.end({ timeout: 0 }).catch(() => undefined);
  }
}

const tooManyConnections = "53300";

/** Later than this a timer says that the process was busy, and answers that came meanwhile are not read yet. */
const lateTimerMs = 100;

/** `onMissed` gets the error and, for later, whether the work has ended after all. */
function underDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  onMissed: (error: Error, isSettled: () => boolean) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let extensions = 0;
    let timer = setTimeout(check, milliseconds, performance.now() + milliseconds);
    /** What the process did not get to do is not the database's fault: as long as it was late, so long it may be. */
    function check(due: number): void {
      const behind = Math.min(performance.now() - due, milliseconds);
      if (behind > lateTimerMs && extensions < 3) {
        extensions += 1;
        timer = setTimeout(check, behind, performance.now() + behind);
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

type TransactionWatch = { over: Error | undefined; last: PendingQuery<Row[]> | undefined };
type Watching = {
  watch: TransactionWatch;
  prepared: (args: Parameters<Sql["unsafe"]>) => Parameters<Sql["unsafe"]>;
};

/** The transaction as drizzle sees it: refuses queries once its deadline has passed, so that it rolls back. */
function watchedTransaction<T extends TransactionSql>(transaction: T, watching: Watching): T {
  const { watch, prepared } = watching;
  return new Proxy(transaction, {
    get(target, key) {
      if (key === "unsafe") {
        return (...args: Parameters<Sql["unsafe"]>) => {
          if (watch.over) return asQuery(undefined, Promise.reject(watch.over));
          // biome-ignore lint/plugin/no-hand-typed-rows: the pool hands rows on as the driver gives them.
          watch.last = target.unsafe<Row[]>(...prepared(args));
          return watch.last;
        };
      }
      if (key === "savepoint") {
        return (run: (inner: TransactionSql) => Promise<unknown>) =>
          target.savepoint((inner) => run(watchedTransaction(inner, watching)));
      }
      return Reflect.get(target, key);
    },
  });
}

/** What drizzle does with a query: awaits it, or its `values()`. */
function asQuery(query: PendingQuery<Row[]> | undefined, answer: Promise<unknown>) {
  return Object.assign(answer, {
    values() {
      query?.values();
      return answer;
    },
  });
}

/** The session that works on a query; undefined while it waits in the pool's queue. */
function backendPid(query: object): number | undefined {
  const state: unknown = Reflect.get(query, "state");
  const pid: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "pid") : undefined;
  return typeof pid === "number" ? pid : undefined;
}
