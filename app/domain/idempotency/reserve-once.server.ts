import { z } from "zod";
import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError, errorCodes } from "../errors.ts";
import { parseId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { isHashOf, protectHash } from "./request-hash.server.ts";
import { usedForAnotherRequest, whereKey, withIdempotencyKey } from "./with-idempotency-key.server.ts";

const refusalSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
});
const storedSchema = z.object({
  id: z.string(),
  contentHash: z.string().optional(),
  refusal: refusalSchema.optional(),
});

type AnyId = NonNullable<ReturnType<typeof parseId>>;

/**
 * Reserves work that continues after its response, once per key: `reserve` stores what is to be done, in the
 * transaction of the key. Returns the ID of what the first request reserved, and as `reserved` the result of `reserve`
 * if that was this request, which then has to do the work. Without a key every request reserves. Throws what `reserve`
 * throws, and `idempotency_conflict` when the key was used for a different request.
 */
export async function reserveOnce<C extends VisitorCtx, T extends { id: AnyId }>(
  ctx: C,
  request: { caller: string; key: string | undefined; requestFingerprint: string },
  reserve: (ctx: C) => Promise<T>,
): Promise<{ id: T["id"]; reserved: T | undefined }> {
  const { key } = request;
  if (key === undefined) {
    const reserved = await reserve(ctx);
    return { id: reserved.id, reserved };
  }
  let reserved: T | undefined;
  const { body } = await withIdempotencyKey(ctx, { ...request, key }, async (inside) => {
    reserved = await reserve(inside);
    return { status: 202, body: JSON.stringify({ id: reserved.id }) };
  });
  const id = parseId<T["id"]>(storedSchema.parse(JSON.parse(body)).id);
  invariant(id, "idempotency key has no stored id", { key });
  return { id, reserved };
}

/**
 * What a request sent for reserved work, known once it has been read; no hash when it was not read to its end.
 * `refusal` is the error that it got for what it sent.
 */
export type ReadContent<T extends AnyId> = {
  id: T;
  isNew: boolean;
  contentHash: string | undefined;
  refusal?: DomainError | undefined;
};

/**
 * Keeps the hash of what was sent by the request that does the reserved work, and compares with it what a repetition,
 * or a request that does the work again, sent. Returns the first request's refusal to a repetition. Throws
 * `idempotency_conflict` when they differ.
 */
export async function compareContent(
  ctx: VisitorCtx,
  { caller, key }: { caller: string; key: string | undefined },
  { id, isNew, contentHash, refusal }: ReadContent<AnyId>,
): Promise<DomainError | undefined> {
  if (key === undefined || contentHash === undefined) return undefined;
  const isKey = whereKey({ caller, key });
  const [first] = await ctx.db.select({ body: idempotencyKeys.responseBody }).from(idempotencyKeys).where(isKey);
  const stored = first?.body ? storedSchema.parse(JSON.parse(first.body)) : undefined;
  if (stored?.contentHash !== undefined && !isHashOf(stored.contentHash, contentHash)) throw usedForAnotherRequest();
  if (isNew) {
    const kept = { id, contentHash: protectHash(contentHash), refusal: refusal && refusalSchema.parse(refusal) };
    await ctx.db
      .update(idempotencyKeys)
      .set({ responseBody: JSON.stringify(kept) })
      .where(isKey);
    return undefined;
  }
  if (!stored?.refusal) return undefined;
  const { code, message, fields } = stored.refusal;
  return new DomainError(code, message, fields && { fields });
}
