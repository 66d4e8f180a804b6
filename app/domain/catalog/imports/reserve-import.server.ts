import { and, eq, like } from "drizzle-orm";
import { compareContent, type ReadContent, reserveOnce } from "#app/domain/idempotency/reserve-once.server.ts";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { retryHint } from "../../heartbeat.ts";
import { type ImportId, newId } from "../../ids.ts";
import { whereOwnImport } from "./import-rows.server.ts";

/**
 * Creates the row of an import whose file is about to arrive. The same key returns the same import, whose file is only
 * compared (`compareImport`), unless it was interrupted or failed through an internal error: then it restarts.
 */
export async function reserveImport(
  ctx: Ctx<TenantActor>,
  { key }: { key: string | undefined },
): Promise<{ id: ImportId; isNew: boolean }> {
  const request = { caller: callerOf(ctx), key, requestFingerprint: "product import" };
  const { id, reserved } = await reserveOnce(ctx, request, insertImport);
  return { id, isNew: reserved !== undefined || (await restartImport(ctx, id)) };
}

/**
 * Keeps the hash of the form that an import arrived with, or compares that of a repetition with it. Throws
 * `idempotency_conflict` when a repetition sent another file or other fields.
 */
export async function compareImport(
  ctx: Ctx<TenantActor>,
  { key, ...read }: ReadContent<ImportId> & { key: string | undefined },
): Promise<void> {
  await compareContent(ctx, { caller: callerOf(ctx), key }, read);
}

function callerOf({ actor }: Ctx<TenantActor>): string {
  return `product-import:${actor.accountId}`;
}

async function insertImport(ctx: Ctx<TenantActor>): Promise<{ id: ImportId }> {
  const id = newId<ImportId>();
  const now = ctx.clock();
  await ctx.db.insert(productImports).values({
    id,
    accountId: ctx.actor.accountId,
    createdAt: now,
    createdBy: ctx.actor.userId,
    heartbeatAt: now,
  });
  return { id };
}

/** Returns false when the import is running or finished. Of several concurrent requests one restarts it. */
async function restartImport(ctx: Ctx<TenantActor>, id: ImportId): Promise<boolean> {
  const restarted = await ctx.db
    .update(productImports)
    .set({ status: "running", error: null, finishedAt: null, heartbeatAt: ctx.clock() })
    .where(
      and(whereOwnImport(ctx, id), eq(productImports.status, "failed"), like(productImports.error, `%${retryHint}`)),
    )
    .returning({ id: productImports.id });
  return restarted.length > 0;
}
