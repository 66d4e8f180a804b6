import { and, asc, eq, isNull, like, sql } from "drizzle-orm";
import { compareContent, type ReadContent, reserveOnce } from "#app/domain/idempotency/reserve-once.server.ts";
import { productImports } from "#db/schema/index.ts";
import { requireOpenAccount } from "../../accounts/require-open-account.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { retryHint } from "../../heartbeat.ts";
import { type ImportId, newId } from "../../ids.ts";
import { lockCreation } from "../../lock-creation.server.ts";
import { inTransaction } from "../../transaction.server.ts";
import { importLimits, tooManyOpenImports } from "./catalog-import.ts";
import { discardImport } from "./discard-import.server.ts";
import { dropImportData, type ImportRun, isOpen, whereOwnImport } from "./import-rows.server.ts";

/**
 * Creates the row of an import whose file is about to arrive. The same key returns the same import without a run, and
 * its file is only compared (`compareImport`), unless it was interrupted or failed through an internal error: then its
 * next run begins. Throws `limit_reached` after 20 that are open, and `invalid_transition` when the account is closed.
 */
export async function reserveImport(
  ctx: Ctx<TenantActor>,
  { key }: { key: string | undefined },
): Promise<{ id: ImportId; run: number | undefined }> {
  const request = { caller: callerOf(ctx), key, requestFingerprint: "product import" };
  const { id, reserved } = await reserveOnce(ctx, request, (once) => inTransaction(once, insertImport));
  return { id, run: reserved?.run ?? (await inTransaction(ctx, (tx) => restartImport(tx, id))) };
}

/**
 * Keeps the hash of the form that an import arrived with, or compares that of a repetition with it, which gets the
 * refusal of the first. Throws `idempotency_conflict` when a repetition sent another file or other fields.
 */
export async function compareImport(
  ctx: Ctx<TenantActor>,
  { key, ...read }: ReadContent<ImportId> & { key: string | undefined },
): Promise<DomainError | undefined> {
  return compareContent(ctx, { caller: callerOf(ctx), key }, read);
}

function callerOf({ actor }: Ctx<TenantActor>): string {
  return `product-import:${actor.accountId}`;
}

async function insertImport(ctx: Ctx<TenantActor>): Promise<ImportRun> {
  await requireOpenAccount(ctx, ctx.actor.accountId);
  const [id, run] = [newId<ImportId>(), 1];
  const now = ctx.clock();
  await ctx.db.insert(productImports).values({
    id,
    run,
    accountId: ctx.actor.accountId,
    createdAt: now,
    createdBy: ctx.actor.userId,
    heartbeatAt: now,
  });
  await requireRoom(ctx);
  return { id, run };
}

/**
 * Returns the next run, and undefined when the import is running or finished. Of several concurrent requests one
 * restarts it.
 */
async function restartImport(ctx: Ctx<TenantActor>, id: ImportId): Promise<number | undefined> {
  const [restarted] = await ctx.db
    .update(productImports)
    .set({
      status: "running",
      run: sql`${productImports.run} + 1`,
      error: null,
      finishedAt: null,
      heartbeatAt: ctx.clock(),
    })
    .where(
      and(whereOwnImport(ctx, id), eq(productImports.status, "failed"), like(productImports.error, `%${retryHint}`)),
    )
    .returning({ run: productImports.run });
  if (!restarted) return undefined;
  await requireRoom(ctx);
  // The sweeper deletes what the run before stored only after it has ended it.
  await dropImportData(ctx, id);
  return restarted.run;
}

/**
 * Throws `limit_reached` when the import that this transaction opened is one too many: each has its file in the
 * database. Syncs of stores have a limit of their own. In the test mode visitors leave previews behind, which would
 * keep all others from importing for a day, so the oldest gives way.
 */
async function requireRoom(ctx: Ctx<TenantActor>): Promise<void> {
  const { accountId } = ctx.actor;
  await lockCreation(ctx, "product_imports", accountId);
  const open = and(eq(productImports.accountId, accountId), isNull(productImports.storeId), isOpen());
  if ((await ctx.db.$count(productImports, open)) <= importLimits.open) return;
  if (ctx.entrypoint === "test_mode" && (await discardOldestPreview(ctx))) return;
  throw new DomainError("limit_reached", tooManyOpenImports);
}

/**
 * Discards the oldest preview of an account that all visitors of the test mode share. Returns whether there was one.
 */
async function discardOldestPreview(ctx: Ctx<TenantActor>): Promise<boolean> {
  const { accountId } = ctx.actor;
  const [oldest] = await ctx.db
    .select({ id: productImports.id })
    .from(productImports)
    .where(
      and(
        eq(productImports.accountId, accountId),
        isNull(productImports.storeId),
        eq(productImports.status, "previewed"),
      ),
    )
    .orderBy(asc(productImports.id))
    .limit(1)
    .for("update", { skipLocked: true });
  if (oldest) await discardImport(ctx, oldest);
  return oldest !== undefined;
}
