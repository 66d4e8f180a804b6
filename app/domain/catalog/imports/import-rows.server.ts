import { and, eq } from "drizzle-orm";
import { productImportBlocks, productImportPieces, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { keepBeating } from "../../heartbeat.ts";
import type { ImportId } from "../../ids.ts";

export type ImportRow = typeof productImports.$inferSelect;

export function ownImport(ctx: Ctx<TenantActor>, id: ImportId) {
  return and(eq(productImports.id, id), eq(productImports.accountId, ctx.actor.accountId));
}

/** One of the account's imports as it is stored. Throws `not_found`. */
export async function getImportRow(ctx: Ctx<TenantActor>, id: ImportId): Promise<ImportRow> {
  const [row] = await ctx.db.select().from(productImports).where(ownImport(ctx, id));
  if (!row) throw notFound("Import");
  return row;
}

/** Says that an import is worked on until it is stopped; returns the stop. */
export function keepImportAlive(ctx: Ctx<TenantActor>, id: ImportId): () => void {
  return keepBeating(ctx, { work: "stage_import", importId: id }, () =>
    ctx.db.update(productImports).set({ aliveAt: ctx.clock() }).where(ownImport(ctx, id)),
  );
}

/** Ends a running import with words for the person who sent it. The catalogue is as it was. */
export async function failImport(ctx: Ctx<TenantActor>, { id, message }: { id: ImportId; message: string }) {
  await ctx.db
    .update(productImports)
    .set({ status: "failed", error: message, finishedAt: ctx.clock() })
    .where(and(ownImport(ctx, id), eq(productImports.status, "running")));
  await dropImportData(ctx, id);
}

/** The file and what was read of it; its problems stay, for the report. */
export async function dropImportData(ctx: Ctx, id: ImportId): Promise<void> {
  await ctx.db.delete(productImportBlocks).where(eq(productImportBlocks.importId, id));
  await ctx.db.delete(productImportPieces).where(eq(productImportPieces.importId, id));
}

/** The file as it was sent, piece by piece. */
export async function* importPieces(ctx: Ctx<TenantActor>, id: ImportId): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [piece] = await ctx.db
      .select({ bytes: productImportPieces.bytes })
      .from(productImportPieces)
      .where(
        and(
          eq(productImportPieces.importId, id),
          eq(productImportPieces.accountId, ctx.actor.accountId),
          eq(productImportPieces.number, number),
        ),
      )
      .limit(1);
    if (!piece) return;
    yield piece.bytes;
  }
}
