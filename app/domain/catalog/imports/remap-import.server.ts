import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import { productImportColumnMappings, productImports } from "#db/schema/index.ts";
import { requireOpenAccount } from "../../accounts/require-open-account.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { ChosenColumns, ImportSettings } from "./catalog-import.ts";
import { getImportRow, notInPreview, whereOwnImport } from "./import-rows.server.ts";
import { stageImport } from "./stage-import.server.ts";

/** How long a response waits for the background work, in milliseconds. */
const responseWaitMs = 2_000;

/**
 * Stages a previewed file again with other columns, options or another encoding. The columns are saved for the
 * account's next file of the same dialect. Throws `not_found`, and `invalid_transition` when the import is not in
 * preview or the account is closed.
 */
export async function remapImport(
  ctx: Ctx<TenantActor>,
  { id, columns, settings }: { id: ImportId; columns: ChosenColumns; settings: ImportSettings },
): Promise<void> {
  const run = await inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, tx.actor.accountId);
    const { dialect } = await getImportRow(tx, id);
    const [started] = await tx.db
      .update(productImports)
      .set({ ...settings, chosenColumns: columns, status: "running", finishedAt: null, heartbeatAt: tx.clock() })
      .where(and(whereOwnImport(tx, id), eq(productImports.status, "previewed")))
      .returning({ run: productImports.run });
    if (!started) throw await notInPreview(tx, id);
    if (!dialect) return started.run;
    const mapping = { columns, changedAt: tx.clock() };
    await tx.db
      .insert(productImportColumnMappings)
      .values({ accountId: tx.actor.accountId, dialect, ...mapping })
      .onConflictDoUpdate({
        target: [productImportColumnMappings.accountId, productImportColumnMappings.dialect],
        set: mapping,
      });
    return started.run;
  });
  await Promise.race([
    runInBackground(ctx, { work: "stage_import", importId: id }, () => stageImport(ctx, { id, run })),
    sleep(responseWaitMs),
  ]);
}
