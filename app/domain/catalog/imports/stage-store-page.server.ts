import { eq, sql } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { productImportBatches, productImportProblems, productImports } from "#db/schema/index.ts";
import type { ImportField } from "./catalog-import.ts";
import { type ImportRun, updateRunning } from "./import-rows.server.ts";
import type { ProductCollector } from "./parsing/product-collector.ts";
import { insertImportProblems, insertStagedBatch } from "./stage-batches.server.ts";

type Page = ImportRun & {
  collector: ProductCollector;
  /** The cursor of the next page. */
  cursor: string | undefined;
  readColumns: Partial<Record<ImportField, string[]>>;
};

/**
 * Stores a page of a store and the cursor of the next one in one transaction, so that the sync can resume from there.
 * Throws an ImportEndedError.
 */
export async function stageStorePage(
  ctx: Ctx<TenantActor>,
  { id, run, collector, cursor, readColumns }: Page,
): Promise<void> {
  const { rows, problems } = collector.drainBatch();
  const { staged, ...counts } = collector.counts;
  await inTransaction(ctx, async (tx) => {
    await updateRunning(
      tx,
      { id, run },
      {
        ...counts,
        cursor: cursor ?? null,
        readColumns,
        heartbeatAt: sql`greatest(${productImports.heartbeatAt}, ${tx.clock().toISOString()}::timestamptz)`,
      },
    );
    const [number, from] = [
      await tx.db.$count(productImportBatches, eq(productImportBatches.importId, id)),
      await tx.db.$count(productImportProblems, eq(productImportProblems.importId, id)),
    ];
    if (rows.length > 0) await insertStagedBatch(tx, { id, number, rows: JSON.stringify(rows) });
    await insertImportProblems(tx, { id, from, problems });
  });
}
