import { sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import type { Actor, Ctx } from "./context.ts";

/** PostgreSQL undid the transaction to break a deadlock or a conflict: nothing happened, so it may be tried again. */
const undone = new Set(["40P01", "40001"]);

/** Runs `work` in one transaction (a savepoint when the caller has one already): all of it happens, or nothing. */
export async function inTransaction<A extends Actor, T>(ctx: Ctx<A>, work: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.db.transaction((tx) => work({ ...ctx, db: tx }));
    } catch (error) {
      if (attempt === 3 || !undone.has(sqlState(error))) throw error;
    }
  }
}

/** Reads in one transaction that sees the database as it was when it began: what is read in several steps fits together. */
export async function inSnapshot<A extends Actor, T>(ctx: Ctx<A>, work: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx }), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

const longest = 120_000;

/** The same for statements about a whole catalogue: they may take two minutes, and wait for one another so long. */
export async function inLongTransaction<A extends Actor, T>(
  ctx: Ctx<A>,
  work: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  return withDeadline(longest, () =>
    inTransaction(ctx, async (tx) => {
      await tx.db.execute(sql.raw(`set local lock_timeout = ${longest}`));
      return work(tx);
    }),
  );
}

/** The SQLSTATE of a database error (`23505` is a unique key), else empty. drizzle keeps the driver's error as its cause. */
export function sqlState(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
}
