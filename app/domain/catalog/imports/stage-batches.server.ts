import { sql } from "drizzle-orm";
import { productImportBatches, productImportProblems } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { type ImportProblem, importLimits } from "./catalog-import.ts";
import { type ImportRun, updateRunning } from "./import-rows.server.ts";
import type { ReadCounts } from "./parsing/product-collector.ts";

/**
 * The products and problems of a batch of rows. `rows` is the JSON of a list of `StagedRow`; the counts cover all rows
 * so far.
 */
type StagedBatch = { rows: string; rowCount: number; problems: readonly ImportProblem[]; counts: ReadCounts };

/**
 * Stores what is read, batch by batch; the next batch is requested when the current one is stored. Returns the last
 * counts. Throws an ImportEndedError.
 */
export async function stageBatches(
  ctx: Ctx<TenantActor>,
  { id, run, batches }: ImportRun & { batches: AsyncIterable<StagedBatch> },
): Promise<ReadCounts> {
  let batchCount = 0;
  let problemCount = 0;
  let counts: ReadCounts | undefined;
  for await (const batch of batches) {
    counts = batch.counts;
    const { rowsRead, skipped, rejected } = counts;
    const [number, from] = [batchCount, problemCount];
    problemCount += await inTransaction(ctx, async (tx) => {
      await updateRunning(tx, { id, run }, { rowsRead, skipped, rejected });
      if (batch.rowCount > 0) await insertStagedBatch(tx, { id, number, rows: batch.rows });
      return insertImportProblems(tx, { id, from, problems: batch.problems });
    });
    if (batch.rowCount > 0) batchCount += 1;
  }
  if (!counts) throw new Error(`product import has no batch: ${id}`);
  return counts;
}

/** `rows`: the JSON of a list of `StagedRow`. */
export async function insertStagedBatch(
  ctx: Ctx<TenantActor>,
  { id, number, rows }: { id: ImportId; number: number; rows: string },
): Promise<void> {
  await ctx.db.execute(sql`
    insert into ${productImportBatches} (import_id, account_id, number, rows)
    values (${id}, ${ctx.actor.accountId}, ${number}, ${rows}::jsonb)`);
}

/** Stores problems up to the limit of an import, which already has `from` of them. Returns the number stored. */
export async function insertImportProblems(
  ctx: Ctx<TenantActor>,
  { id, from, problems }: { id: ImportId; from: number; problems: readonly ImportProblem[] },
): Promise<number> {
  const withinLimit = problems.slice(0, Math.max(0, importLimits.problems - from));
  if (withinLimit.length === 0) return 0;
  const rows = JSON.stringify(withinLimit.map((problem, index) => ({ ...problem, number: from + index })));
  await ctx.db.execute(sql`
    insert into ${productImportProblems} (import_id, account_id, number, kind, row, sku, column_name, message)
    select ${id}::uuid, ${ctx.actor.accountId}::uuid, number, kind, row, sku, "column", message
    from jsonb_to_recordset(${rows}::jsonb)
      as problem (number int, kind text, row int, sku text, "column" text, message text)`);
  return withinLimit.length;
}
