import { is } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import { queryLabelOf, withDeadline } from "#db/client.server.ts";
import { readFromReplica } from "#db/replica/replica.server.ts";
import type { Actor, Ctx, ReadCtx } from "./context.ts";
import { inSnapshot } from "./transaction.server.ts";

/**
 * Reads in one snapshot of the replica, or of the primary where there is no replica that may be read now. For figures
 * and histories only, never for money or for what a decision depends on (docs/decisions/0097). `read` runs a second
 * time, on the primary, if the replica fails; `timeoutMs` is the limit for each.
 */
export async function inStaleSnapshot<A extends Actor, T>(
  ctx: Ctx<A>,
  read: (reading: ReadCtx<A>) => Promise<T>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<T> {
  const patient = timeoutMs === undefined ? ctx : withDeadline(ctx, timeoutMs);
  return ((await fromReplica(patient, read)) ?? { result: await inSnapshot(patient, read) }).result;
}

/** The same for reads that need no snapshot on the primary: a single list. */
export async function readStale<A extends Actor, T>(
  ctx: Ctx<A>,
  read: (reading: ReadCtx<A>) => Promise<T>,
): Promise<T> {
  return ((await fromReplica(ctx, read)) ?? { result: await read(ctx) }).result;
}

async function fromReplica<A extends Actor, T>(ctx: Ctx<A>, read: (reading: ReadCtx<A>) => Promise<T>) {
  // What a transaction has written is in its own database only.
  if (is(ctx.db, PgTransaction)) return undefined;
  const { changedAt, requestId } = ctx;
  const label = { requestId, ...queryLabelOf(ctx.db) };
  return readFromReplica({ changedAt, label }, (db, asOf) => read({ ...ctx, db, asOf }));
}

/** A reader sees a delay from here on, in milliseconds. */
const noticeableLagMs = 5_000;

/** Returns as of when the read figures are; undefined when they are as good as current. */
export function noticeableAsOf({ asOf, clock }: ReadCtx): Date | undefined {
  return asOf && clock().getTime() - asOf.getTime() > noticeableLagMs ? asOf : undefined;
}
