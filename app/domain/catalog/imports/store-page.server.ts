import { eq, sql } from "drizzle-orm";
import { productImportBlocks, productImportProblems, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { ImportField } from "./catalog-import.ts";
import { ownImport } from "./import-rows.server.ts";
import type { ProductCollector } from "./reading/product-collector.ts";
import { storeBlock, storeProblems } from "./stage-batches.server.ts";

type Page = {
  id: ImportId;
  collector: ProductCollector;
  /** Where the next page begins. */
  cursor: string | undefined;
  readColumns: Partial<Record<ImportField, string[]>>;
};

/** Writes down a page of a shop and where the next one begins, both or neither: so that it can go on from here. */
export async function storePage(ctx: Ctx<TenantActor>, { id, collector, cursor, readColumns }: Page): Promise<void> {
  const { rows, problems } = collector.takeBatch();
  const { staged, ...counts } = collector.counts;
  await inTransaction(ctx, async (tx) => {
    const [number, from] = [
      await tx.db.$count(productImportBlocks, eq(productImportBlocks.importId, id)),
      await tx.db.$count(productImportProblems, eq(productImportProblems.importId, id)),
    ];
    if (rows.length > 0) await storeBlock(tx, { id, number, rows: JSON.stringify(rows) });
    await storeProblems(tx, { id, from, problems });
    await tx.db
      .update(productImports)
      .set({
        ...counts,
        cursor: cursor ?? null,
        readColumns,
        aliveAt: sql`greatest(${productImports.aliveAt}, ${tx.clock().toISOString()}::timestamptz)`,
      })
      .where(ownImport(tx, id));
  });
}
