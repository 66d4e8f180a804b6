import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq, lt, not, type SQL } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { invariant } from "../invariant.ts";
import { inTransaction } from "../transaction.server.ts";
import { isHashOf, protectHash } from "./request-hash.server.ts";

/**
 * How long a response is stored and replayed, in milliseconds. Responses of requests that move money are stored
 * forever.
 */
export const idempotencyTtlMs = 72 * 60 * 60 * 1000;

const sliceBytes = 1024 * 1024;

/**
 * A request that is executed once per caller and key: keys of different callers never collide. `requestFingerprint` and
 * `body` identify the request, so that a key cannot be reused for a different one.
 */
export type IdempotentRequest = {
  caller: string;
  key: string;
  requestFingerprint: string;
  body?: Uint8Array;
  deadlineMs?: number;
  movesMoney?: boolean;
};

/** A response. `storedBody` replaces the stored body where the response contains a secret that is shown only once. */
export type IdempotentResponse = { status: number; body: string; storedBody?: string };

/** `replayed` says whether it is the response to an earlier request with the key. */
export type KeyedResponse = { status: number; body: string; replayed: boolean };

/**
 * Runs `work` once per key, in one transaction with the row of the key. A repetition gets the first response, even a
 * concurrent one, which waits for it. An error in `work` rolls the key back too, so that the request can be retried.
 * Throws `idempotency_conflict` when the key was used for a different request.
 */
export async function withIdempotencyKey<C extends VisitorCtx>(
  ctx: C,
  request: IdempotentRequest,
  work: (ctx: C) => Promise<IdempotentResponse>,
): Promise<KeyedResponse> {
  const { deadlineMs } = request;
  return runOnce(deadlineMs === undefined ? ctx : withDeadline(ctx, deadlineMs), request, work);
}

/**
 * Returns the stored response of a request whose key was used, without waiting for one that is being executed;
 * undefined when there is none. Throws `idempotency_conflict` when the key was used for a different request.
 */
export async function findStoredResponse(
  ctx: VisitorCtx,
  request: IdempotentRequest,
): Promise<KeyedResponse | undefined> {
  const first = await findKey(ctx, request, { unless: isExpiredKey(ctx) });
  return first && toReplay(first, { request, requestHash: await hashRequest(request) });
}

async function runOnce<C extends VisitorCtx>(
  ctx: C,
  request: IdempotentRequest,
  work: (ctx: C) => Promise<IdempotentResponse>,
): Promise<KeyedResponse> {
  const requestHash = await hashRequest(request);
  return inTransaction(ctx, async (tx) => {
    if (!(await claimKey(tx, request, requestHash))) {
      return toReplay(await findKey(tx, request), { request, requestHash });
    }
    const { status, body, storedBody } = await work(tx);
    await tx.db
      .update(idempotencyKeys)
      .set({ responseStatus: status, responseBody: storedBody ?? body })
      .where(whereKey(request));
    return { status, body, replayed: false };
  });
}

/** Hashes a large body in slices, so that the event loop can serve other requests in between. */
async function hashRequest({ requestFingerprint, body = new Uint8Array() }: IdempotentRequest): Promise<string> {
  const hash = createHash("sha256").update(requestFingerprint);
  for (let at = 0; at < body.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    hash.update(body.subarray(at, at + sliceBytes));
  }
  return hash.digest("hex");
}

/**
 * Inserts the key, after any other transaction that uses it ends. Returns false when the key is already used. An
 * expired key counts as unused.
 */
async function claimKey(ctx: VisitorCtx, request: IdempotentRequest, requestHash: string): Promise<boolean> {
  const { movesMoney = false } = request;
  const newRow = {
    requestHash: protectHash(requestHash),
    responseStatus: null,
    responseBody: null,
    movesMoney,
    createdAt: ctx.clock(),
  };
  const claimed = await ctx.db
    .insert(idempotencyKeys)
    .values({ caller: request.caller, key: request.key, ...newRow })
    .onConflictDoUpdate({
      target: [idempotencyKeys.caller, idempotencyKeys.key],
      set: newRow,
      setWhere: isExpiredKey(ctx),
    })
    .returning({ key: idempotencyKeys.key });
  return claimed.length > 0;
}

/** The condition for an expired key. */
export function isExpiredKey({ clock }: Pick<VisitorCtx, "clock">) {
  const before = new Date(clock().getTime() - idempotencyTtlMs);
  return and(lt(idempotencyKeys.createdAt, before), not(idempotencyKeys.movesMoney));
}

async function findKey(ctx: VisitorCtx, request: IdempotentRequest, { unless }: { unless?: SQL | undefined } = {}) {
  const [first] = await ctx.db
    .select()
    .from(idempotencyKeys)
    .where(and(whereKey(request), unless && not(unless)));
  return first;
}

function toReplay(
  first: typeof idempotencyKeys.$inferSelect | undefined,
  { request, requestHash }: { request: IdempotentRequest; requestHash: string },
): KeyedResponse {
  if (!first || !isHashOf(first.requestHash, requestHash)) throw usedForAnotherRequest();
  const { caller, key } = request;
  const { responseStatus, responseBody } = first;
  invariant(responseStatus !== null && responseBody !== null, "idempotency key has no stored response", {
    caller,
    key,
  });
  return { status: responseStatus, body: responseBody, replayed: true };
}

/** The error of a key that was used for a different request. */
export function usedForAnotherRequest(): DomainError {
  return new DomainError(
    "idempotency_conflict",
    "This Idempotency-Key was already used for a different request. Use a new key.",
  );
}

/** The condition for the row of a key. */
export function whereKey({ caller, key }: Pick<IdempotentRequest, "caller" | "key">) {
  return and(eq(idempotencyKeys.caller, caller), eq(idempotencyKeys.key, key));
}
