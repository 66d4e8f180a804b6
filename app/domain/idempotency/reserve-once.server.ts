import { z } from "zod";
import type { VisitorCtx } from "../context.ts";
import { parseId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { withIdempotencyKey } from "./with-idempotency-key.server.ts";

const storedSchema = z.object({ id: z.string() });

type AnyId = NonNullable<ReturnType<typeof parseId>>;

/**
 * Reserves work that continues after its response, once per key: `reserve` stores what is to be done, in the transaction
 * of the key. Returns the ID of what the first request reserved, and as `reserved` the result of `reserve` if that was this
 * request, which then has to do the work. Without a key every request reserves. Throws what `reserve` throws, and
 * `idempotency_conflict` when the key was used for a different request.
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
