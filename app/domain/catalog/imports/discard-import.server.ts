import { and, eq } from "drizzle-orm";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { dropImportData, getImportRow, whereOwnImport } from "./import-rows.server.ts";

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
    if (ended.length === 0)
      throw new DomainError("invalid_transition", "This import was already completed or discarded");
    await dropImportData(tx, id);
  });
}
