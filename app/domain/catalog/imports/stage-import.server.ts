import { and, eq } from "drizzle-orm";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { productImportBlocks, productImportColumns, productImportProblems, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { sendAgain } from "../../heartbeat.ts";
import type { ImportId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { type ChosenColumns, type Dialect, importFieldLabels } from "./catalog-import.ts";
import { commitStaged } from "./commit-import.server.ts";
import { failImport, getImportRow, type ImportRow, keepImportAlive, ownImport } from "./import-rows.server.ts";
import { openImportFile } from "./open-import-file.server.ts";
import type { CatalogThread } from "./reading/catalog-thread.server.ts";
import { stageBatches } from "./stage-batches.server.ts";
import { countStaged } from "./staged-rows.server.ts";

/** The words for a defect of ours: the log has the rest. */
export const importFailedOnOurSide = `Something went wrong on our side; the catalog is as it was. ${sendAgain}`;

/** Reads a kept file and writes down what its rows would make of the catalogue; then commits, if that was asked for. Never throws. */
export async function stageImport(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  const stopBeating = keepImportAlive(ctx, id);
  try {
    const row = await getImportRow(ctx, id);
    await ctx.db.delete(productImportBlocks).where(eq(productImportBlocks.importId, id));
    await ctx.db.delete(productImportProblems).where(eq(productImportProblems.importId, id));
    await stage(ctx, row);
    if (row.committed) await commitStaged(ctx, { id });
  } catch (error) {
    const facts = { work: "stage_import", importId: id } as const;
    const isRefusal = error instanceof SheetError || error instanceof DomainError;
    const defect = isRefusal ? error.cause : error;
    if (defect) reportError(ctx, defect, facts);
    await failImport(ctx, { id, message: isRefusal ? error.message : importFailedOnOurSide }).catch((ending: unknown) =>
      reportError(ctx, ending, { ...facts, step: "ending" }),
    );
  } finally {
    stopBeating();
  }
}

async function stage(ctx: Ctx<TenantActor>, row: ImportRow): Promise<void> {
  const { id, committed } = row;
  const { thread, head, close } = await openImportFile(ctx, row);
  try {
    const chosen = row.chosenColumns ?? (await findRemembered(ctx, head.dialect));
    const { missing, columns } = await thread.begin(chosen, row);
    const { dialect, header, samples } = head;
    await ctx.db
      .update(productImports)
      .set({ dialect, header, samples, chosenColumns: chosen, readColumns: columns, missingFields: missing })
      .where(ownImport(ctx, id));
    const [first] = missing;
    if (first && committed) throw new DomainError("invalid_input", missingColumn(importFieldLabels[first], header));
    const { staged, ...counts } = await stageBatches(ctx, { id, batches: batchesOf(thread) });
    const found = await countStaged(ctx, { ...row, readColumns: columns });
    await ctx.db
      .update(productImports)
      .set({
        ...counts,
        ...found,
        updated: staged - found.created,
        ...(!committed && { status: "previewed", finishedAt: ctx.clock() }),
      })
      .where(and(ownImport(ctx, id), eq(productImports.status, "running")));
  } finally {
    await close();
  }
}

async function* batchesOf(thread: CatalogThread) {
  let last = false;
  while (!last) {
    const batch = await thread.nextBatch();
    yield batch;
    last = batch.last;
  }
}

/** What the account chose last for a file of this kind. */
async function findRemembered(ctx: Ctx<TenantActor>, dialect: Dialect): Promise<ChosenColumns> {
  const { accountId } = ctx.actor;
  const [found] = await ctx.db
    .select({ columns: productImportColumns.columns })
    .from(productImportColumns)
    .where(and(eq(productImportColumns.accountId, accountId), eq(productImportColumns.dialect, dialect)));
  return found?.columns ?? {};
}

function missingColumn(field: string, header: readonly string[]): string {
  const shown = header.filter(Boolean).slice(0, 20).join(", ");
  return `No column for ${field} was found. Columns found: ${shown}${header.length > 20 ? " and more" : ""}`;
}
