import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq, lt, not } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";

/** How long a first answer is kept and replayed, in milliseconds; for ever where money moved. */
export const keptFor = 72 * 60 * 60 * 1000;

const sliceBytes = 1024 * 1024;

/** Who repeats what: one caller's keys never meet another's; `request` and `body` are all that makes it the same request. */
export type Once = {
  caller: string;
  key: string;
  request: string;
  body?: Uint8Array;
  deadlineMs?: number;
  movesMoney?: boolean;
};

/** An answer, and what of it may be kept: a secret that is shown once is left out of `kept`. */
export type Answered = { status: number; body: string; kept?: string };

/**
 * Does `work` once for a key: with its row, in one transaction. A repetition, also one that came at the same time and
 * waited, gets the first answer. What `work` throws undoes the key too, so that an error can be tried again.
 * Throws `idempotency_conflict` when the key was used for another request.
 */
export async function doOnce<C extends VisitorCtx>(
  ctx: C,
  once: Once,
  work: (ctx: C) => Promise<Answered>,
): Promise<{ status: number; body: string; replayed: boolean }> {
  const { deadlineMs } = once;
  return deadlineMs === undefined ? take(ctx, once, work) : withDeadline(deadlineMs, () => take(ctx, once, work));
}

async function take<C extends VisitorCtx>(
  ctx: C,
  once: Once,
  work: (ctx: C) => Promise<Answered>,
): Promise<{ status: number; body: string; replayed: boolean }> {
  const requestHash = await hashRequest(once);
  return ctx.db.transaction(async (tx) => {
    const inside = { ...ctx, db: tx };
    if (!(await takeKey(inside, once, requestHash))) return replay(inside, once, requestHash);
    const { status, body, kept } = await work(inside);
    await tx
      .update(idempotencyKeys)
      .set({ responseStatus: status, responseBody: kept ?? body })
      .where(theKey(once));
    return { status, body, replayed: false };
  });
}

/** Hashes a large body in slices, so that other requests have their turn. */
async function hashRequest({ request, body = new Uint8Array() }: Once): Promise<string> {
  const hash = createHash("sha256").update(request);
  for (let at = 0; at < body.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    hash.update(body.subarray(at, at + sliceBytes));
  }
  return hash.digest("hex");
}

/** Waits while another transaction holds the key; false when it then is somebody's. One kept too long counts as none. */
async function takeKey(ctx: VisitorCtx, once: Once, requestHash: string): Promise<boolean> {
  const { movesMoney = false } = once;
  const fresh = { requestHash, responseStatus: null, responseBody: null, movesMoney, createdAt: ctx.clock() };
  const taken = await ctx.db
    .insert(idempotencyKeys)
    .values({ caller: once.caller, key: once.key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.caller, idempotencyKeys.key],
      set: fresh,
      setWhere: keptTooLong(ctx),
    })
    .returning({ key: idempotencyKeys.key });
  return taken.length > 0;
}

/** A key that counts no longer. */
export function keptTooLong({ clock }: Pick<VisitorCtx, "clock">) {
  const before = new Date(clock().getTime() - keptFor);
  return and(lt(idempotencyKeys.createdAt, before), not(idempotencyKeys.movesMoney));
}

async function replay(ctx: VisitorCtx, once: Once, requestHash: string) {
  const [first] = await ctx.db.select().from(idempotencyKeys).where(theKey(once));
  if (first?.requestHash !== requestHash) {
    throw new DomainError("idempotency_conflict", "This Idempotency-Key was used for another request");
  }
  if (first.responseStatus === null || first.responseBody === null) throw new Error("an answer is kept with its key");
  return { status: first.responseStatus, body: first.responseBody, replayed: true };
}

function theKey({ caller, key }: Once) {
  return and(eq(idempotencyKeys.caller, caller), eq(idempotencyKeys.key, key));
}
