import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { z } from "zod";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { connect } from "./driver.server.ts";

/** What a pooler between the server and PostgreSQL, such as PgBouncer, leaves of a session. */
export type ConnectionTraits = {
  /** Whether a connection has the settings that it was started with; otherwise each transaction has to set its own. */
  keepsSettings: boolean;
  /** Whether a prepared statement is found again. */
  keepsStatements: boolean;
};

export const directConnection: ConnectionTraits = { keepsSettings: true, keepsStatements: true };

/** The start-up parameters of every connection that keeps them. */
export const sessionSettings = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  // PostgreSQL's 4 is of disks with heads. Without statistics it then reads all rows of an account and sorts them,
  // where an index has a page of a list in order.
  random_page_cost: 1,
  // Starting processes for a statement takes 5 to 10 ms and other requests' processors. Without statistics PostgreSQL
  // starts them for a few rows of a large table. The driver does not send a number that is zero.
  max_parallel_workers_per_gather: "0",
  // Compiling a plan takes 4 to 60 ms for a small statement, and is chosen by estimated costs, which are guesses
  // without statistics.
  jit: "off",
};

/**
 * Tries what the connections to a database keep. `prepare` is the setting DATABASE_PREPARE: when it is true, a pooler
 * that loses prepared statements is a StartupError; when false, none are used; undefined, they are used if they are
 * kept. `hasSessions` says that connections are known not to be shared by transaction, `setting` whose URL it is.
 */
export async function findConnectionTraits(
  url: string,
  {
    prepare,
    hasSessions = false,
    setting = "DATABASE_URL",
  }: { prepare?: boolean | undefined; hasSessions?: boolean; setting?: string } = {},
): Promise<ConnectionTraits> {
  const keepsSettings = await tryTimeouts(url, setting);
  const isShared = !hasSessions && (await isSharedByTransaction(url, setting));
  if (isShared && prepare) {
    throw new StartupError(
      `DATABASE_PREPARE: the pooler at ${setting} assigns its connections by transaction and loses prepared statements. Set DATABASE_PREPARE=off or leave it out.`,
    );
  }
  return { keepsSettings, keepsStatements: prepare ?? !isShared };
}

/**
 * Rejects, with the name of the setting, a connection that is shared by transaction: migrations hold a lock, and the
 * worker listens for jobs, longer than one.
 */
export async function requireDirectConnection(url: string, setting: string): Promise<void> {
  if (!(await isSharedByTransaction(url, setting))) return;
  throw new StartupError(
    `${setting}: the pooler assigns its connections by transaction, but migrations and the worker need a session. ` +
      "Set DIRECT_DATABASE_URL, and DATABASE_OWNER_URL if it is used, to PostgreSQL itself or to a pool by session.",
  );
}

/**
 * Waits until the database can be written, for as many seconds. PostgreSQL rejects connections while it starts, and is
 * a standby until a failover has promoted it. Throws a StartupError, which names the setting, when it is a standby
 * then.
 */
export async function waitForDatabase(url: string, { seconds, setting }: { seconds: number; setting: string }) {
  for (const until = Date.now() + seconds * 1_000; ; await sleep(250)) {
    const state = await probe(url);
    if (state === "ready") return;
    if (Date.now() < until) continue;
    if (state === "standby") {
      throw new StartupError(
        `${setting}: the database is a standby, which can only be read. Name the primary; DATABASE_REPLICA_URL takes a standby.`,
      );
    }
    return;
  }
}

const standbyRow = z.array(z.object({ is_standby: z.boolean() })).length(1);

/** What else is wrong with a database shows when it is used. */
async function probe(url: string): Promise<"ready" | "starting" | "standby"> {
  const sql = openProbe(url);
  try {
    const [row] = standbyRow.parse(await sql.unsafe("select pg_is_in_recovery() as is_standby"));
    return row?.is_standby ? "standby" : "ready";
  } catch (error) {
    return isStarting(errorCode(error)) ? "starting" : "ready";
  } finally {
    await sql.end({ timeout: 0 });
  }
}

const startingCodes = /^(57P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_CLOSED)$/;

/** Whether an error says that the server is not there yet: no response, or PostgreSQL's `cannot_connect_now`. */
function isStarting(code = ""): boolean {
  return startingCodes.test(code);
}

/** PgBouncer rejects a start-up parameter that it does not know, or ignores it. */
async function tryTimeouts(url: string, setting: string): Promise<boolean> {
  const sql = openProbe(url, { connection: sessionSettings });
  try {
    const [row] = z
      .array(z.object({ kept: z.boolean() }))
      .parse(
        await sql.unsafe(
          "select current_setting('statement_timeout') = '5s' and current_setting('lock_timeout') = '2s' as kept",
        ),
      );
    return row?.kept ?? false;
  } catch (error) {
    if (errorCode(error) === "08P01") return false;
    throw unreachable(error, setting);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Opens one connection to try things with. It prepares nothing, because a pooler may lose it. */
function openProbe(url: string, options: Parameters<typeof connect>[1] = {}): Sql {
  const usual = { max: 1, connect_timeout: 4, fetch_types: false, prepare: false, onnotice: () => undefined };
  return connect(url, { ...usual, ...options });
}

const backend = z.array(z.object({ pid: z.number() })).length(1);

/**
 * Returns whether sessions of PostgreSQL are shared by transaction: then a session is free for others after a
 * transaction, and while two of them hold it or others, the next statement runs elsewhere.
 */
async function isSharedByTransaction(url: string, setting: string): Promise<boolean> {
  const clients = Array.from({ length: 3 }, () => openProbe(url));
  const [first, ...others] = clients;
  if (!first) return false;
  try {
    const before = await backendOf(first);
    const compared = holdingAll(others, async (held) => held.includes(before) || (await backendOf(first)) !== before);
    return await Promise.race([compared, rejectAfter(waitMs, setting)]);
  } catch (error) {
    throw unreachable(error, setting);
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
  }
}

/** Runs `work` while each client is in a transaction; it gets the process ids of their sessions. */
async function holdingAll<T>(
  clients: readonly Sql[],
  work: (held: number[]) => Promise<T>,
  held: number[] = [],
): Promise<T> {
  const [client, ...others] = clients;
  if (!client) return work(held);
  let result: { value: T } | undefined;
  await client.begin(async (transaction) => {
    const [row] = backend.parse(await transaction.unsafe("select pg_backend_pid() as pid"));
    result = { value: await holdingAll(others, work, [...held, row?.pid ?? 0]) };
  });
  if (!result) throw new Error("The transaction did not run");
  return result.value;
}

/** How long the statements of a start may wait for a connection of a pooler. */
const waitMs = 8_000;

async function rejectAfter(milliseconds: number, setting: string): Promise<never> {
  await sleep(milliseconds, undefined, { ref: false });
  throw new StartupError(
    `${setting}: the pooler had no three connections for this process. Give its pool more connections.`,
  );
}

async function backendOf(sql: Sql): Promise<number> {
  const [row] = backend.parse(await sql.unsafe("select pg_backend_pid() as pid"));
  return row?.pid ?? 0;
}

function unreachable(error: unknown, setting: string): unknown {
  const code = errorCode(error);
  return code === undefined ? error : new StartupError(`${setting}: the database is not responding (${code})`);
}
