import { type SQL, sql } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import { isOfApproved } from "../accounts/is-of-approved.server.ts";
import type { ReadCtx } from "../context.ts";

/**
 * The condition that advertisers can select an audience: it is ready, and its publisher is approved. A suspended one could
 * decide on no campaign. The status is a literal, so that the condition is the one of the partial indexes.
 */
export function isOffered(ctx: Pick<ReadCtx, "db">): SQL {
  return sql`${audiences.status} = 'ready' and ${isOfApproved(ctx, audiences.publisherId)}`;
}
