import { and, eq } from "drizzle-orm";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { dropImportData, getImportRow, ownImport } from "./import-rows.server.ts";

/** Lets a previewed import go; the catalogue stays as it is. Throws `not_found`, and `invalid_transition` otherwise. */
export async function discardImport(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await getImportRow(tx, id);
    const ended = await tx.db
      .update(productImports)
      .set({ status: "discarded", finishedAt: tx.clock() })
      .where(and(ownImport(tx, id), eq(productImports.status, "previewed")))
      .returning({ id: productImports.id });
    if (ended.length === 0) throw new DomainError("invalid_transition", "This import is not waiting to be committed");
    await dropImportData(tx, id);
  });
}
