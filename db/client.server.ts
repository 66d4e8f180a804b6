import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import type { PgDatabase } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import { type HealingPool, openHealingPool, type PoolIncident } from "./healing-pool.server.ts";
import * as schema from "./schema/index.ts";

/** The pool's drizzle instance, or a transaction on it. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, typeof schema>;

type OpenOptions = {
  url: string;
  /** Connections; PostgreSQL allows 100 for all processes together. */
  max?: number;
  deadlineMs?: number;
  onIncident?: (incident: PoolIncident) => void;
};

type Holder = {
  open?: { pool: HealingPool; db: Database };
  deadlineOverride: AsyncLocalStorage<number>;
  /** Works under way with a deadline of their own. */
  overrides: number;
};

/** On globalThis, because the server and the bundle that Remix builds each have their own copy of this module. */
const holderKey = Symbol.for("endcap.database");

function holder(): Holder {
  const held: Holder | undefined = Reflect.get(globalThis, holderKey);
  if (held) return held;
  const made: Holder = { deadlineOverride: new AsyncLocalStorage<number>(), overrides: 0 };
  Reflect.set(globalThis, holderKey, made);
  return made;
}

/** Opens the process's one pool. Connections are made on first use. */
export function openDatabase(options: OpenOptions): Database {
  const held = holder();
  if (held.open) throw new Error("The database is open already");
  const pool = openHealingPool({
    url: options.url,
    max: options.max ?? 10,
    deadlineMs: options.deadlineMs ?? 4_500,
    deadlineOverride: held.deadlineOverride,
    // drizzle sets its parsers on the driver's pool, and this one may be replaced.
    onPool: (made) => {
      drizzle(made);
    },
    onIncident: options.onIncident ?? (() => undefined),
  });
  const db: Database = drizzle(pool.client, { schema });
  held.open = { pool, db };
  return db;
}

/** The open database; throws when `openDatabase` was not called. */
export function database(): Database {
  const { open } = holder();
  if (!open) throw new Error("The database is not open");
  return open.db;
}

/** Lets queries under way finish, 5 seconds at most. Does nothing when it is not open. */
export async function closeDatabase(): Promise<void> {
  const held = holder();
  const { open } = held;
  held.open = undefined;
  await open?.pool.close();
}

/** Runs `work` with another deadline for its queries and transactions: for jobs, the seed, and probes. */
export async function withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const held = holder();
  held.overrides += 1;
  try {
    // Awaited inside, since drizzle's queries start only when they are awaited.
    return await held.deadlineOverride.run(milliseconds, async () => await work());
  } finally {
    held.overrides -= 1;
    // While a storage is in use Node follows every promise of the process, which costs each request a tenth.
    if (held.overrides === 0) held.deadlineOverride.disable();
  }
}

/** Rejects unless the database answers within 2 seconds. */
export async function pingDatabase(): Promise<void> {
  await withDeadline(2_000, async () => {
    await database().execute(sql`select 1`);
  });
}
