import { and, sql } from "drizzle-orm";
import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { batchSize, inBatches } from "../in-batches.ts";
import { isExpiredKey } from "./with-idempotency-key.server.ts";

type PurgeCtx = Pick<VisitorCtx, "db" | "clock" | "stopping">;

/** Deletes the expired idempotency keys with their responses. Returns how many. */
export async function purgeIdempotencyKeys(ctx: PurgeCtx): Promise<number> {
  return await inBatches(ctx, () => deleteExpired(ctx));
}

/** Deletes at most a batch. A key that is used again meanwhile stays. */
async function deleteExpired(ctx: PurgeCtx): Promise<number> {
  const { caller, key } = idempotencyKeys;
  const expired = ctx.db.select({ caller, key }).from(idempotencyKeys).where(isExpiredKey(ctx)).limit(batchSize);
  const deleted = await ctx.db
    .delete(idempotencyKeys)
    .where(and(sql`(${caller}, ${key}) in (${expired})`, isExpiredKey(ctx)));
  return deleted.count;
}
