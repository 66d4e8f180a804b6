import { is, sql } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import { type Database, withDeadline } from "#db/client.server.ts";
import type { Actor, Ctx } from "./context.ts";

/** PostgreSQL rolled the transaction back because of a deadlock or a conflict, so it can be retried. */
const retryableSqlStates = new Set(["40P01", "40001"]);

/** The transactions that other work can join, each with the first error of what joined it. */
const joinable = new WeakMap<Database, { failure?: { error: unknown } }>();

/**
 * Runs `work` in one transaction: all of its changes are stored, or none. Inside another one it joins that one, which
 * then fails as a whole when `work` fails. A caller that catches the error to go on calls it `inSavepoint`.
 */
export async function inTransaction<C extends { db: Database }, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  const joined = joinable.get(ctx.db);
  if (joined) {
    try {
      return await work(ctx);
    } catch (error) {
      joined.failure ??= { error };
      throw error;
    }
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.db.transaction((tx) => runJoinable({ ...ctx, db: tx }, work));
    } catch (error) {
      const canRetry = retryableSqlStates.has(sqlState(error)) || isBrokenNodeConnection(error);
      if (attempt === 3 || !canRetry) throw error;
    }
  }
}

async function runJoinable<C extends { db: Database }, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  const transaction: { failure?: { error: unknown } } = {};
  joinable.set(ctx.db, transaction);
  const result = await work(ctx);
  if (transaction.failure) throw transaction.failure.error;
  return result;
}

/**
 * Does work whose failure the caller catches to go on: inside a transaction in a savepoint, so that it is rolled back
 * alone. Each savepoint takes two statements, and PostgreSQL a transaction of its own.
 */
export async function inSavepoint<C extends { db: Database }, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (!joinable.has(ctx.db)) return work(ctx);
  return ctx.db.transaction((tx) => runJoinable({ ...ctx, db: tx }, work));
}

/**
 * Reads in one transaction that sees the database as of its start, so that several reads are consistent. Inside a
 * transaction `work` reads in that one, which is a snapshot if its caller asked for one.
 */
export async function inSnapshot<A extends Actor, T>(ctx: Ctx<A>, work: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
  if (is(ctx.db, PgTransaction)) return work(ctx);
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx }), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

/** The deadline of a long transaction, in milliseconds. One inside another transaction has the deadline of that one. */
export const longTimeoutMs = 120_000;

/**
 * The same for statements over a whole catalog, or over all lines of a payout: they may run, and wait for each other,
 * for two minutes.
 */
export async function inLongTransaction<A extends Actor, T>(
  ctx: Ctx<A>,
  work: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  return inLongRequest(ctx, async (tx) => {
    await tx.db.execute(sql.raw(`set local lock_timeout = ${longTimeoutMs}`));
    return work(tx);
  });
}

/**
 * The same where a person asks for it again when it takes long: it waits for another's locks no longer than usual,
 * which takes a connection.
 */
export async function inLongRequest<A extends Actor, T>(ctx: Ctx<A>, work: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
  return inTransaction(withDeadline(ctx, longTimeoutMs), work);
}

/**
 * Lets the transaction be without a statement until its deadline in so many milliseconds, for work that reads and
 * writes objects between its statements for as long as the storage takes. The database itself ends the session later,
 * so that the caller gets the error of the deadline and not that of a lost connection.
 */
export async function allowIdle(tx: Database, milliseconds: number): Promise<void> {
  await tx.execute(sql.raw(`set local idle_in_transaction_session_timeout = ${milliseconds + idleMarginMs}`));
}

/** A busy process notices a deadline late. */
const idleMarginMs = 10_000;

/** How the coordinator of a distributed database, and its driver, say that a connection to another machine broke. */
const brokenConnection =
  /^(failure on connection|server closed the connection|could not (receive data from|send data to) server|no connection to the server|SSL connection has been closed)/;

/**
 * Whether a connection between the machines of a distributed database turned out to be broken, such as after the
 * restart of one, so that the transaction was rolled back. Citus reports it as an internal error.
 */
export function isBrokenNodeConnection(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return sqlState(error) === "XX000" && cause instanceof Error && brokenConnection.test(cause.message);
}

/**
 * Returns the SQLSTATE of a database error (`23505` is a unique violation), otherwise an empty string. drizzle wraps
 * the driver's error as its cause.
 */
export function sqlState(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
}

/**
 * Whether a statement waited for a lock longer than `lock_timeout`, or was told not to wait. Also of several errors
 * that are all of this kind.
 */
export function isLockTimeout(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isLockTimeout);
  return sqlState(error) === "55P03";
}
