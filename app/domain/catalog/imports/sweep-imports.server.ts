import { and, eq, exists, isNull, lt, notInArray } from "drizzle-orm";
import { productImportBatches, productImportChunks, productImports } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { retryHint, staleBefore } from "../../heartbeat.ts";

/** How long a preview waits for its user, in milliseconds. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/**
 * Fails imports whose process is gone, discards previews that are a day old, and deletes the files of both. Returns
 * their number.
 */
export async function sweepImports(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  const interrupted = await ctx.db
    .update(productImports)
    .set({ status: "failed", error: `The import was interrupted. ${retryHint}`, finishedAt: now })
    .where(
      and(
        eq(productImports.status, "running"),
        lt(productImports.heartbeatAt, staleBefore(now)),
        // Syncs of a store resume where they stopped.
        isNull(productImports.storeId),
      ),
    )
    .returning({ id: productImports.id });
  const abandoned = await ctx.db
    .update(productImports)
    .set({ status: "discarded", finishedAt: now })
    .where(
      and(
        eq(productImports.status, "previewed"),
        lt(productImports.finishedAt, new Date(now.getTime() - abandonedAfterMs)),
      ),
    )
    .returning({ id: productImports.id });
  for (const table of [productImportChunks, productImportBatches]) {
    const ofEndedImport = and(
      eq(productImports.id, table.importId),
      notInArray(productImports.status, ["running", "previewed"]),
    );
    const ended = ctx.db.select({ id: productImports.id }).from(productImports).where(ofEndedImport);
    await ctx.db.delete(table).where(exists(ended));
  }
  return interrupted.length + abandoned.length;
}
