import type { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { PendingQuery, Row, Sql, TransactionSql } from "postgres";
import { z } from "zod";
import { errorCode } from "#app/start-error.ts";
import { postgres } from "./driver.server.ts";
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
  /** For every query and transaction, the wait for a connection included; milliseconds, longer than lock_timeout. */
  deadlineMs: number;
  /** Overrides the deadline for the calls made under it; a longer one is what PostgreSQL lets a statement take, too. */
  deadlineOverride: AsyncLocalStorage<number>;
  /** Called with each new driver pool, before its first query. */
  onPool: (pool: Sql) => void;
  onIncident: (incident: PoolIncident) => void;
};

export type HealingPool = { client: Sql; close: () => Promise<void> };

const probeMs = 1_500;

/**
 * A postgres.js pool that never hangs for good. `client` stands for the pool of the moment: `unsafe` and `begin`, the two
 * doors that drizzle uses, are held to a deadline. When one is missed, a fresh connection looks: if the server does not
 * answer it, or answers that no session of this pool is at work, the pool is thrown away and made anew; else only the
 * late queries are cancelled. (Timeouts inside PostgreSQL do not help when packets vanish.)
 */
export function openHealingPool(options: PoolOptions): HealingPool {
  let generation = newGeneration(options);
  const late = new Set<PendingQuery<Row[]>>();
  const isWorthPreparing = statementsWorthPreparing();
  let healing = false;

  function deadline(): number {
    return options.deadlineOverride.getStore() ?? options.deadlineMs;
  }

  function missed(of: Generation, query: PendingQuery<Row[]> | undefined): void {
    if (query) late.add(query);
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
      const pids: number[] = [];
      for (const query of late) {
        const pid = backendPid(query);
        if (pid === undefined) query.cancel();
        else pids.push(pid);
      }
      late.clear();
      const alive = await isAlive(options.url, of.name, pids);
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
    if (deadline() > options.deadlineMs) return alone(args);
    const of = generation;
    // biome-ignore lint/plugin/no-hand-typed-rows: the pool hands rows on as the driver gives them.
    const query = of.pool.unsafe<Row[]>(...prepared(args));
    return asQuery(
      query,
      underDeadline(query, deadline(), () => missed(of, query)),
    );
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
    const of = generation;
    const limit = deadline();
    const watch: TransactionWatch = { over: undefined, last: undefined };
    const work = of.pool.begin((transaction) => {
      if (watch.over) throw watch.over;
      // Sent along with what follows; if it fails, that fails.
      if (limit > options.deadlineMs)
        transaction.unsafe(`set local statement_timeout = ${limit}`).catch(() => undefined);
      return run(watchedTransaction(transaction, { watch, prepared }));
    });
    return underDeadline(work, limit, (error) => {
      watch.over = error;
      missed(of, watch.last);
    });
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

/** True when the server answers a new connection and the pool named so is at work; cancels what is late. */
async function isAlive(url: string, name: string, pids: number[]): Promise<boolean> {
  const probe = postgres(url, { max: 1, connect_timeout: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const asked = probe`
      select count(*)::int as busy,
        count(case when pid = any(${`{${pids}}`}::text::int[]) and state = 'active' and query_start < now() - interval '1 second'
                   then pg_cancel_backend(pid) end) as cancelled
      from pg_stat_activity where application_name = ${name} and state <> 'idle'`;
    const [answer] = z.array(probeRow).parse(await underDeadline(asked, probeMs, () => undefined));
    return (answer?.busy ?? 0) > 0;
  } catch (error) {
    return errorCode(error) === tooManyConnections;
  } finally {
    probe.end({ timeout: 0 }).catch(() => undefined);
  }
}

/** The server answers, but has no slot for the probe: another pool would not get one either. */
const tooManyConnections = "53300";

function underDeadline<T>(work: Promise<T>, milliseconds: number, onMissed: (error: Error) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new DatabaseDeadlineError(milliseconds);
      reject(error);
      onMissed(error);
    }, milliseconds);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
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
