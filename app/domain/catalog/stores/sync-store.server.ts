import { and, eq, lte } from "drizzle-orm";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import { productImports, productStores } from "#db/schema/index.ts";
import { requireOpenAccount } from "../../accounts/require-open-account.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { reserveOnce } from "../../idempotency/reserve-once.server.ts";
import { type ImportId, newId, type StoreId } from "../../ids.ts";
import { inTransaction, sqlState } from "../../transaction.server.ts";
import type { ImportRun } from "../imports/import-rows.server.ts";
import { fetchStoreProducts } from "./fetch-store-products.server.ts";
import { alreadySyncing, nextSync } from "./store.ts";
import { getStoreRow, type StoreRow, whereOwnStore } from "./store-rows.server.ts";

/**
 * Fetches a store's products into the catalog as an import that continues in the background after the response; its
 * report shows the outcome. Products that the store no longer has are not deleted. The same idempotency key returns the
 * same import. Throws `not_found`, and `invalid_transition` while a sync of the store is running, or when the account
 * is closed.
 */
export async function syncStore(
  ctx: Ctx<TenantActor>,
  { id: storeId, key }: { id: StoreId; key?: string | undefined },
): Promise<{ id: ImportId; isNew: boolean }> {
  const request = { caller: `account:${ctx.actor.accountId}`, key, requestFingerprint: `sync store ${storeId}` };
  const { id, reserved } = await reserveOnce(ctx, request, (once) =>
    reserving(once, async (tx) => insertSync(tx, await getStoreRow(tx, storeId))),
  );
  if (reserved) fetchInBackground(ctx, reserved);
  return { id, isNew: reserved !== undefined };
}

/**
 * Starts the sync of a store that is due. Returns whether it is: another process may have synced it since it was found.
 * Throws `invalid_transition` while a sync of the store is running, or when the account is closed.
 */
export async function syncStoreIfDue(ctx: Ctx<TenantActor>, { id }: { id: StoreId }): Promise<boolean> {
  const sync = await reserving(ctx, async (tx) => {
    const isDue = and(whereOwnStore(tx, id), lte(productStores.nextSyncAt, tx.clock()));
    // Whoever starts a sync changes the row; this waits for them and then sees when the store is due next.
    const [store] = await tx.db.select().from(productStores).where(isDue).for("no key update");
    return store && insertSync(tx, store);
  });
  if (sync) fetchInBackground(ctx, sync);
  return sync !== undefined;
}

function fetchInBackground(ctx: Ctx<TenantActor>, sync: ImportRun): void {
  void runInBackground(ctx, { work: "fetch_store", importId: sync.id }, () => fetchStoreProducts(ctx, sync));
}

async function insertSync(ctx: Ctx<TenantActor>, store: StoreRow): Promise<ImportRun> {
  const [id, run] = [newId<ImportId>(), 1];
  const now = ctx.clock();
  // The store before its sync, in the order in which a due one is locked.
  const nextSyncAt = nextSync(store.frequency, now);
  await ctx.db
    .update(productStores)
    .set({ nextSyncAt })
    .where(and(whereOwnStore(ctx, store.id), eq(productStores.frequency, store.frequency)));
  await ctx.db.insert(productImports).values({
    id,
    run,
    accountId: ctx.actor.accountId,
    storeId: store.id,
    commitRequested: true,
    fileName: store.name,
    deriveSku: store.deriveSku,
    defaultCategory: store.defaultCategory,
    createdAt: now,
    createdBy: ctx.actor.userId,
    heartbeatAt: now,
  });
  return { id, run };
}

async function reserving<Result>(ctx: Ctx<TenantActor>, work: (tx: Ctx<TenantActor>) => Promise<Result>) {
  try {
    return await inTransaction(ctx, async (tx) => {
      await requireOpenAccount(tx, tx.actor.accountId);
      return work(tx);
    });
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw new DomainError("invalid_transition", alreadySyncing);
  }
}
