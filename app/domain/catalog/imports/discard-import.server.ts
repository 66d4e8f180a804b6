import { and, eq } from "drizzle-orm";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { dropImportData, getImportRow, notInPreview, whereOwnImport } from "./import-rows.server.ts";

/**
 * Discards a previewed import without changing the catalog. Throws `not_found`, and `invalid_transition` when the
 * import is not in preview.
 */
export async function discardImport(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await getImportRow(tx, id);
    const ended = await tx.db
      .update(productImports)
      .set({ status: "discarded", finishedAt: tx.clock() })
      .where(and(whereOwnImport(tx, id), eq(productImports.status, "previewed")))
      .returning({ id: productImports.id });
    if (ended.length === 0) throw await notInPreview(tx, id);
    await dropImportData(tx, id);
  });
}
