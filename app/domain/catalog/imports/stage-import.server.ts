import { availableParallelism } from "node:os";
import { and, eq } from "drizzle-orm";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { productImportBatches, productImportColumnMappings, productImportProblems } from "#db/schema/index.ts";
import { accountTurns } from "../../account-turns.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { retryHint } from "../../heartbeat.ts";
import { reportError } from "../../report-error.ts";
import { type ChosenColumns, type Dialect, type ImportField, importFieldLabels } from "./catalog-import.ts";
import { commitStaged } from "./commit-import.server.ts";
import {
  failImport,
  getImportRow,
  ImportEndedError,
  type ImportRow,
  type ImportRun,
  startImportHeartbeat,
  storeInRun,
  updateRunning,
} from "./import-rows.server.ts";
import { openImportFile } from "./open-import-file.server.ts";
import type { CatalogThread } from "./parsing/catalog-thread.server.ts";
import { stageBatches } from "./stage-batches.server.ts";
import { countStaged } from "./staged-rows.server.ts";

/**
 * The number of files that a process reads at once. Each has a thread that keeps a core busy, with its text in memory.
 */
const maxConcurrentReads = Math.min(4, Math.max(2, availableParallelism() - 1));
const turns = () => accountTurns("catalog-files", maxConcurrentReads);

/** The message for internal errors; the log has the details. */
export const importFailedOnOurSide = `Something went wrong on our side. Your catalog was not changed. ${retryHint}`;

/**
 * Reads a stored file and stages its changes to the catalog; then commits them if the import asked for it. One that was
 * ended meanwhile, or is in its next run, stays as it is. Never throws.
 */
export async function stageImport(ctx: Ctx<TenantActor>, { id, run }: ImportRun): Promise<void> {
  const stopHeartbeat = startImportHeartbeat(ctx, { id, run });
  try {
    const row = await getImportRow(ctx, id);
    await storeInRun(ctx, { id, run }, async (tx) => {
      await tx.db.delete(productImportBatches).where(eq(productImportBatches.importId, id));
      await tx.db.delete(productImportProblems).where(eq(productImportProblems.importId, id));
    });
    // The file waits in the database.
    await turns().run(ctx.actor.accountId, () => stage(ctx, { ...row, run }));
    if (row.commitRequested) await commitStaged(ctx, { id, run });
  } catch (error) {
    if (error instanceof ImportEndedError) return;
    const facts = { work: "stage_import", importId: id } as const;
    const isRejection = error instanceof SheetError || error instanceof DomainError;
    const defect = isRejection ? error.cause : error;
    if (defect) reportError(ctx, defect, facts);
    await failImport(ctx, { id, run, message: isRejection ? error.message : importFailedOnOurSide }).catch(
      (failure: unknown) => reportError(ctx, failure, { ...facts, step: "ending" }),
    );
  } finally {
    stopHeartbeat();
  }
}

async function stage(ctx: Ctx<TenantActor>, row: ImportRow): Promise<void> {
  const { id, run, commitRequested } = row;
  const { thread, head, close } = await openImportFile(ctx, row);
  try {
    const chosen = row.chosenColumns ?? (await findSavedColumns(ctx, head.dialect));
    const { missing, columns, guessed, currencySource } = await thread.begin(chosen, {
      options: row,
      now: ctx.clock(),
    });
    const { dialect, header, headerRow, firstRows, samples, encoding } = head;
    await updateRunning(
      ctx,
      { id, run },
      {
        dialect,
        header,
        headerRow,
        firstRows,
        samples,
        encoding,
        chosenColumns: chosen,
        readColumns: columns,
        guessedFields: guessed,
        currencySource,
        missingFields: missing,
      },
    );
    const [first] = missing;
    if (first && commitRequested) throw new DomainError("invalid_input", describeMissingColumn(first, { row, header }));
    const { staged, ...counts } = await stageBatches(ctx, { id, run, batches: readBatches(thread) });
    const differences = await countStaged(ctx, { ...row, readColumns: columns });
    await updateRunning(
      ctx,
      { id, run },
      {
        ...counts,
        ...differences,
        updated: staged - differences.created,
        ...(!commitRequested && { status: "previewed", finishedAt: ctx.clock() }),
      },
    );
  } finally {
    await close();
  }
}

async function* readBatches(thread: CatalogThread) {
  let last = false;
  while (!last) {
    const batch = await thread.nextBatch();
    yield batch;
    last = batch.last;
  }
}

/** Returns the columns that the account last chose for a file of this dialect. */
async function findSavedColumns(ctx: Ctx<TenantActor>, dialect: Dialect): Promise<ChosenColumns> {
  const { accountId } = ctx.actor;
  const [found] = await ctx.db
    .select({ columns: productImportColumnMappings.columns })
    .from(productImportColumnMappings)
    .where(and(eq(productImportColumnMappings.accountId, accountId), eq(productImportColumnMappings.dialect, dialect)));
  return found?.columns ?? {};
}

/** An import that is committed at once has no preview in which the column could be chosen. */
function describeMissingColumn(field: ImportField, { row, header }: { row: ImportRow; header: string[] }): string {
  const shown = header.filter(Boolean).slice(0, 20).join(", ");
  const found = `No column found for ${importFieldLabels[field]}. Columns found: ${shown}${header.length > 20 ? " and more" : ""}.`;
  if (row.storeId === null) return `${found} Send the name of its column as column_${field}.`;
  if (field === "category") return `${found} Enter a category for products without one in the settings of the feed.`;
  return `${found} Upload the feed as a file and choose the column. The choice applies to the feed as well.`;
}
