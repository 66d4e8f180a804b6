import { and, eq, exists, inArray, isNull, lt, not } from "drizzle-orm";
import { productImportBatches, productImportChunks, productImportProblems, productImports } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { retryHint, staleBefore } from "../../heartbeat.ts";
import { type ImportId, lowestIdAt } from "../../ids.ts";
import { importLimits } from "./catalog-import.ts";
import { isOpen } from "./import-rows.server.ts";

/** How long a preview waits for its user, in milliseconds. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;
/** The number of imports whose problems a statement deletes. Each has 20,000 at most. */
const purgedAtOnce = 5;

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
    const ofEndedImport = and(eq(productImports.id, table.importId), not(isOpen()));
    const ended = ctx.db.select({ id: productImports.id }).from(productImports).where(ofEndedImport);
    await ctx.db.delete(table).where(exists(ended));
  }
  return interrupted.length + abandoned.length;
}

/**
 * Deletes the problems of imports that began 90 days ago; their counts stay. Returns the number of imports. Those of
 * one that is still open are kept.
 */
export async function purgeImportProblems(ctx: Ctx<JobActor>): Promise<number> {
  const before = lowestIdAt<ImportId>(ctx.clock().getTime() - importLimits.problemDays * 24 * 60 * 60 * 1000);
  const { importId } = productImportProblems;
  const ended = ctx.db
    .select({ one: productImports.id })
    .from(productImports)
    .where(and(eq(productImports.id, importId), not(isOpen())));
  for (let purged = 0; ; ) {
    const due = await ctx.db
      .selectDistinct({ id: importId })
      .from(productImportProblems)
      .where(and(lt(importId, before), exists(ended)))
      .limit(purgedAtOnce);
    const ids = due.map(({ id }) => id);
    if (ids.length > 0) await ctx.db.delete(productImportProblems).where(inArray(importId, ids));
    purged += ids.length;
    if (ids.length < purgedAtOnce || ctx.stopping?.aborted) return purged;
  }
}
