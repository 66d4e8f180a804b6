import { sql } from "drizzle-orm";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT, PostgresJsSession } from "drizzle-orm/postgres-js";
import { sharedState } from "#app/shared-state.ts";
import { type ConnectionTraits, directConnection } from "./connection-traits.server.ts";
import * as schema from "./schema/index.ts";
import {
  type ObserveQuery,
  openSelfHealingPool,
  type PoolIncident,
  type PoolUsage,
  type QueryLabel,
  type SelfHealingPool,
} from "./self-healing-pool.server.ts";

/** The pool's drizzle instance, or a transaction on it. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, typeof schema>;

/** What a reader needs of a database: it can neither write rows nor open a transaction. */
export type ReadDatabase = Pick<Database, "$count" | "execute" | "select" | "selectDistinct" | "with">;

export type OpenOptions = {
  url: string;
  /** The pool size; PostgreSQL allows 100 connections for all processes together. */
  max?: number;
  deadlineMs?: number;
  /** What a connection keeps; by default everything, as without a pooler. */
  traits?: ConnectionTraits;
  onIncident?: (incident: PoolIncident) => void;
  observeQuery?: ObserveQuery | undefined;
};

type OpenPool = { pool: SelfHealingPool; db: Database };

type Holder = {
  open?: OpenPool;
  /** What each labeled database adds to its pool's own. */
  labels: WeakMap<Database, { label: QueryLabel; from: OpenPool }>;
};

const holder = sharedState("database", (): Holder => ({ labels: new WeakMap() }));

/** Opens the process's pool, whose connections are made on first use. */
export function openDatabase(options: OpenOptions): Database {
  const state = holder();
  if (state.open) throw new Error("The database is open already");
  state.open = openPool(options);
  return state.open.db;
}

/** Opens another pool, which has the same deadlines, beside the process's own. The caller closes it. */
export function openSecondPool(options: OpenOptions) {
  const second = openPool(options);
  return {
    database: (label: QueryLabel): Database => labeledDatabase(second, label),
    close: second.pool.close,
  };
}

function openPool(options: OpenOptions): OpenPool {
  const pool = openSelfHealingPool({
    url: options.url,
    max: options.max ?? 10,
    deadlineMs: options.deadlineMs ?? 4_500,
    traits: options.traits ?? directConnection,
    // drizzle sets its parsers on the driver's pool, which may be replaced.
    onPool: (newClient) => {
      drizzle(newClient);
    },
    onIncident: options.onIncident ?? (() => undefined),
    observeQuery: options.observeQuery,
  });
  return { pool, db: drizzle(pool.client, { schema }) };
}

/** Returns the open database; throws before `openDatabase` was called. Log lines about its queries have the label. */
export function database(label?: QueryLabel): Database {
  const { open } = holder();
  if (!open) throw new Error("The database is not open");
  return label ? labeledDatabase(open, label) : open.db;
}

/** Labels the queries of the open pool; any other database is returned as it is, such as a transaction. */
export function withQueryLabel(db: Database, label: QueryLabel): Database {
  const { open } = holder();
  return open?.db === db ? labeledDatabase(open, label) : db;
}

const dialect = new PgDialect();

function labeledDatabase(from: OpenPool, label: QueryLabel): Database {
  const session = new PostgresJsSession(from.pool.labeledClient(label), dialect, undefined);
  const db = new PgDatabase<PostgresJsQueryResultHKT, typeof schema>(dialect, session, undefined);
  holder().labels.set(db, { label, from });
  return db;
}

/** Returns the label of a database; an empty one for a transaction and for a database without one. */
export function queryLabelOf(db: Database): QueryLabel {
  return holder().labels.get(db)?.label ?? {};
}

/**
 * Returns the context with another deadline for the queries and transactions of its database: for jobs, the seed and
 * health checks. A transaction keeps the deadline that it began with. (An AsyncLocalStorage would make Node track every
 * promise of every request while such work runs.)
 */
export function withDeadline<C extends { db: Database }>(ctx: C, milliseconds: number): C {
  const { open, labels } = holder();
  const labeled = labels.get(ctx.db) ?? (open?.db === ctx.db ? { label: {}, from: open } : undefined);
  if (!labeled) return ctx;
  return { ...ctx, db: labeledDatabase(labeled.from, { ...labeled.label, deadlineMs: milliseconds }) };
}

/** Returns the use of the pool; undefined while the database is not open. */
export function databaseUsage(): PoolUsage | undefined {
  return holder().open?.pool.usage();
}

/** Waits up to 5 seconds for running queries and closes the pool. Does nothing when it is not open. */
export async function closeDatabase(): Promise<void> {
  const state = holder();
  const { open } = state;
  state.open = undefined;
  await open?.pool.close();
}

/** Rejects unless the database responds within 2 seconds. */
export async function pingDatabase(): Promise<void> {
  await withDeadline({ db: database() }, 2_000).db.execute(sql`select 1`);
}
