import { idempotencyKeys } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { keptTooLong } from "./do-once.server.ts";

/** Removes the answers that are replayed no longer; answers how many. */
export async function forgetIdempotencyKeys(ctx: Pick<VisitorCtx, "db" | "clock">): Promise<number> {
  const gone = await ctx.db.delete(idempotencyKeys).where(keptTooLong(ctx)).returning({ key: idempotencyKeys.key });
  return gone.length;
}
