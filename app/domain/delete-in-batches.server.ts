import { and, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Ctx } from "./context.ts";
import { batchSize, inBatches } from "./in-batches.ts";

/**
 * Deletes the rows of a table that meet a condition, some thousands in one statement, so that it ends in time, however
 * many there are. One that does not meet it any more when its turn comes stays. Returns the number of rows.
 */
export async function deleteInBatches(
  ctx: Pick<Ctx, "db" | "stopping">,
  table: PgTable,
  condition: SQL | undefined,
): Promise<number> {
  return inBatches(ctx, async () => {
    const due = ctx.db.select({ place: sql`ctid` }).from(table).where(condition).limit(batchSize);
    const deleted = await ctx.db.delete(table).where(and(sql`ctid = any(array(${due}))`, condition));
    return deleted.count;
  });
}
