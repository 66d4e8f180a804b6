import { sql } from "drizzle-orm";
import { productImportBlocks, productImportProblems, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { type ImportProblem, importLimits } from "./catalog-import.ts";
import { ownImport } from "./import-rows.server.ts";
import type { ReadCounts } from "./reading/product-collector.ts";

/** Products and problems of some rows. `rows` is the JSON of a list of `StagedRow`; the counts are of all rows so far. */
type StagedBatch = { rows: string; rowCount: number; problems: readonly ImportProblem[]; counts: ReadCounts };

/** Writes down what is read, batch by batch: the next one is asked for when this one is stored. Answers the last counts. */
export async function stageBatches(
  ctx: Ctx<TenantActor>,
  { id, batches }: { id: ImportId; batches: AsyncIterable<StagedBatch> },
): Promise<ReadCounts> {
  let blocks = 0;
  let problems = 0;
  let counts: ReadCounts | undefined;
  for await (const batch of batches) {
    counts = batch.counts;
    if (batch.rowCount > 0) await storeBlock(ctx, { id, number: blocks++, rows: batch.rows });
    problems += await storeProblems(ctx, { id, from: problems, problems: batch.problems });
    const { rowsRead, skipped, rejected } = counts;
    await ctx.db.update(productImports).set({ rowsRead, skipped, rejected }).where(ownImport(ctx, id));
  }
  if (!counts) throw new Error("a file has at least one batch");
  return counts;
}

/** `rows`: the JSON of a list of `StagedRow`. */
export async function storeBlock(
  ctx: Ctx<TenantActor>,
  { id, number, rows }: { id: ImportId; number: number; rows: string },
): Promise<void> {
  await ctx.db.execute(sql`
    insert into ${productImportBlocks} (import_id, account_id, number, rows)
    values (${id}, ${ctx.actor.accountId}, ${number}, ${rows}::jsonb)`);
}

/** Keeps as many as an import may have, `from` of which it has. Answers how many it kept. */
export async function storeProblems(
  ctx: Ctx<TenantActor>,
  { id, from, problems }: { id: ImportId; from: number; problems: readonly ImportProblem[] },
): Promise<number> {
  const kept = problems.slice(0, Math.max(0, importLimits.problems - from));
  if (kept.length === 0) return 0;
  const rows = JSON.stringify(kept.map((problem, index) => ({ ...problem, number: from + index })));
  await ctx.db.execute(sql`
    insert into ${productImportProblems} (import_id, account_id, number, kind, row, sku, column_name, message)
    select ${id}::uuid, ${ctx.actor.accountId}::uuid, number, kind, row, sku, "column", message
    from jsonb_to_recordset(${rows}::jsonb)
      as problem (number int, kind text, row int, sku text, "column" text, message text)`);
  return kept.length;
}
