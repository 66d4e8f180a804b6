import { and, eq, inArray } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { productImportBatches, productImportChunks, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { startHeartbeat } from "../../heartbeat.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";

export type ImportRow = typeof productImports.$inferSelect;

/**
 * The run of an import that a process makes. An import that was interrupted begins its next run, so that a process that
 * was only paused neither ends it nor changes the catalog.
 */
export type ImportRun = Pick<ImportRow, "id" | "run">;

/** Another process has ended the import, or makes its next run. */
export class ImportEndedError extends Error {
  override name = "ImportEndedError";
}

export function whereOwnImport(ctx: Ctx<TenantActor>, id: ImportId) {
  return and(eq(productImports.id, id), eq(productImports.accountId, ctx.actor.accountId));
}

/** The condition that this is the import's newest run and still goes on. Everything that a run writes has it. */
export function whereRuns(ctx: Ctx<TenantActor>, { id, run }: ImportRun) {
  return and(whereOwnImport(ctx, id), eq(productImports.run, run), eq(productImports.status, "running"));
}

/**
 * Changes the import of a run; in a transaction, this also keeps the next run from beginning. Throws an
 * ImportEndedError.
 */
export async function updateRunning(
  ctx: Ctx<TenantActor>,
  run: ImportRun,
  changes: PgUpdateSetSource<typeof productImports>,
): Promise<void> {
  const updated = await ctx.db
    .update(productImports)
    .set(changes)
    .where(whereRuns(ctx, run))
    .returning({ id: productImports.id });
  if (updated.length === 0) throw new ImportEndedError();
}

/** Stores rows of a run in one transaction, which keeps the next run from beginning. Throws an ImportEndedError. */
export async function storeInRun<Result>(
  ctx: Ctx<TenantActor>,
  run: ImportRun,
  work: (tx: Ctx<TenantActor>) => Promise<Result>,
): Promise<Result> {
  return inTransaction(ctx, async (tx) => {
    const columns = { id: productImports.id };
    const locked = await tx.db.select(columns).from(productImports).where(whereRuns(tx, run)).for("no key update");
    if (locked.length === 0) throw new ImportEndedError();
    return work(tx);
  });
}

/** The condition that an import is being read or waits in preview, so that its file is needed. */
export function isOpen() {
  return inArray(productImports.status, ["running", "previewed"]);
}

/** Returns one of the account's imports as it is stored. Throws `not_found`. */
export async function getImportRow(ctx: Ctx<TenantActor>, id: ImportId): Promise<ImportRow> {
  const [row] = await ctx.db.select().from(productImports).where(whereOwnImport(ctx, id));
  if (!row) throw notFound("Import");
  return row;
}

/** Marks an import as alive periodically; returns a function that stops this. */
export function startImportHeartbeat(ctx: Ctx<TenantActor>, run: ImportRun): () => void {
  return startHeartbeat(ctx, { work: "stage_import", importId: run.id }, () =>
    ctx.db.update(productImports).set({ heartbeatAt: ctx.clock() }).where(whereRuns(ctx, run)),
  );
}

/**
 * Marks the import of a run as failed, with a message for the uploader, and deletes its file. The catalog does not
 * change, and an import that has ended, or is in its next run, stays as it is.
 */
export async function failImport(
  ctx: Ctx<TenantActor>,
  { message, ...run }: ImportRun & { message: string },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(productImports)
      .set({ status: "failed", error: message, finishedAt: tx.clock() })
      .where(whereRuns(tx, run))
      .returning({ id: productImports.id });
    if (failed.length > 0) await dropImportData(tx, run.id);
  });
}

/** Deletes the import's file and staged rows. Its problems stay for the report. */
export async function dropImportData(ctx: Ctx, id: ImportId): Promise<void> {
  await ctx.db.delete(productImportBatches).where(eq(productImportBatches.importId, id));
  await ctx.db.delete(productImportChunks).where(eq(productImportChunks.importId, id));
}

/** The error of what needs a preview, when the import has none: it is being read or committed, or has ended. */
export async function notInPreview(ctx: Ctx<TenantActor>, id: ImportId): Promise<DomainError> {
  const { status } = await getImportRow(ctx, id);
  const what = status === "running" ? "is being read or committed" : "was already completed or discarded";
  return new DomainError("invalid_transition", `This import ${what}`);
}

/** Yields the uploaded file in chunks. */
export async function* readImportChunks(ctx: Ctx<TenantActor>, id: ImportId): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [chunk] = await ctx.db
      .select({ bytes: productImportChunks.bytes })
      .from(productImportChunks)
      .where(
        and(
          eq(productImportChunks.importId, id),
          eq(productImportChunks.accountId, ctx.actor.accountId),
          eq(productImportChunks.number, number),
        ),
      )
      .limit(1);
    if (!chunk) return;
    yield chunk.bytes;
  }
}
