import { and, eq, exists, isNull, lt, notInArray } from "drizzle-orm";
import { productImportBlocks, productImportPieces, productImports } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { sendAgain, silentSince } from "../../heartbeat.ts";

/** A preview that nobody came back to. */
const forgotten = 24 * 60 * 60 * 1000;

/** Ends imports whose process is gone, lets previews go that wait for a day, and drops the files of both. Answers how many. */
export async function sweepImports(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  const interrupted = await ctx.db
    .update(productImports)
    .set({ status: "failed", error: `The import was interrupted. ${sendAgain}`, finishedAt: now })
    .where(
      and(
        eq(productImports.status, "running"),
        lt(productImports.aliveAt, silentSince(now)),
        // What is fetched from a shop is taken up again where it stopped.
        isNull(productImports.storeId),
      ),
    )
    .returning({ id: productImports.id });
  const left = await ctx.db
    .update(productImports)
    .set({ status: "discarded", finishedAt: now })
    .where(
      and(eq(productImports.status, "previewed"), lt(productImports.finishedAt, new Date(now.getTime() - forgotten))),
    )
    .returning({ id: productImports.id });
  for (const table of [productImportPieces, productImportBlocks]) {
    const itsImport = and(
      eq(productImports.id, table.importId),
      notInArray(productImports.status, ["running", "previewed"]),
    );
    const ended = ctx.db.select({ id: productImports.id }).from(productImports).where(itsImport);
    await ctx.db.delete(table).where(exists(ended));
  }
  return interrupted.length + left.length;
}
