import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { deleteInBatches } from "../delete-in-batches.server.ts";
import { isExpiredKey } from "./with-idempotency-key.server.ts";

type PurgeCtx = Pick<VisitorCtx, "db" | "clock" | "stopping">;

/**
 * Deletes the expired idempotency keys with their responses. A key that is used again meanwhile stays. Returns how
 * many.
 */
export async function purgeIdempotencyKeys(ctx: PurgeCtx): Promise<number> {
  return deleteInBatches(ctx, idempotencyKeys, isExpiredKey(ctx));
}
