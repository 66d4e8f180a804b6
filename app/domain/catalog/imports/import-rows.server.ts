import { and, eq, inArray } from "drizzle-orm";
import { productImportBatches, productImportChunks, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { startHeartbeat } from "../../heartbeat.ts";
import type { ImportId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";

export type ImportRow = typeof productImports.$inferSelect;

export function whereOwnImport(ctx: Ctx<TenantActor>, id: ImportId) {
  return and(eq(productImports.id, id), eq(productImports.accountId, ctx.actor.accountId));
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
export function startImportHeartbeat(ctx: Ctx<TenantActor>, id: ImportId): () => void {
  return startHeartbeat(ctx, { work: "stage_import", importId: id }, () =>
    ctx.db.update(productImports).set({ heartbeatAt: ctx.clock() }).where(whereOwnImport(ctx, id)),
  );
}

/**
 * Marks a running import as failed, with a message for the uploader, and deletes its file. The catalog does not change,
 * and an import that has ended stays as it is.
 */
export async function failImport(
  ctx: Ctx<TenantActor>,
  { id, message }: { id: ImportId; message: string },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(productImports)
      .set({ status: "failed", error: message, finishedAt: tx.clock() })
      .where(and(whereOwnImport(tx, id), eq(productImports.status, "running")))
      .returning({ id: productImports.id });
    if (failed.length > 0) await dropImportData(tx, id);
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
