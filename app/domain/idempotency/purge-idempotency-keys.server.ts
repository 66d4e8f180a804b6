import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { isExpiredKey } from "./with-idempotency-key.server.ts";

/** Deletes the expired idempotency keys with their responses. Returns how many. */
export async function purgeIdempotencyKeys(ctx: Pick<VisitorCtx, "db" | "clock">): Promise<number> {
  const deleted = await ctx.db.delete(idempotencyKeys).where(isExpiredKey(ctx)).returning({ key: idempotencyKeys.key });
  return deleted.length;
}
