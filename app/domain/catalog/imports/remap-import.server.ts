import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { productImportColumns, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { ImportId } from "../../ids.ts";
import { runAside } from "../../running-imports.server.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { ChosenColumns, ImportOptions } from "./catalog-import.ts";
import { getImportRow, ownImport } from "./import-rows.server.ts";
import { stageImport } from "./stage-import.server.ts";

/** How long an answer waits for the rest of the work. In milliseconds. */
const patience = 2_000;

/**
 * Reads a previewed file again with other columns or options. The columns are remembered for the account's next file of
 * the same kind. Throws `not_found`, and `invalid_transition` when it is not waiting to be committed.
 */
export async function remapImport(
  ctx: Ctx<TenantActor>,
  { id, columns, options }: { id: ImportId; columns: ChosenColumns; options: ImportOptions },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { dialect } = await getImportRow(tx, id);
    const begun = await tx.db
      .update(productImports)
      .set({ ...options, chosenColumns: columns, status: "running", finishedAt: null, aliveAt: tx.clock() })
      .where(and(ownImport(tx, id), eq(productImports.status, "previewed")))
      .returning({ id: productImports.id });
    if (begun.length === 0) throw new DomainError("invalid_transition", "This import is not waiting to be committed");
    if (!dialect) return;
    const remembered = { columns, changedAt: tx.clock() };
    await tx.db
      .insert(productImportColumns)
      .values({ accountId: tx.actor.accountId, dialect, ...remembered })
      .onConflictDoUpdate({ target: [productImportColumns.accountId, productImportColumns.dialect], set: remembered });
  });
  await Promise.race([
    runAside(ctx, { work: "stage_import", importId: id }, () => stageImport(ctx, { id })),
    sleep(patience),
  ]);
}
