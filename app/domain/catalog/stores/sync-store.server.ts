import { and, eq } from "drizzle-orm";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import { productImports, productStores } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { type ImportId, newId, type StoreId } from "../../ids.ts";
import { inTransaction, sqlState } from "../../transaction.server.ts";
import { fetchStoreProducts } from "./fetch-store-products.server.ts";
import { nextSync } from "./store.ts";
import { getStoreRow, whereOwnStore } from "./store-rows.server.ts";

/**
 * Fetches a store's products into the catalog as an import that continues in the background after the response; its
 * report shows the outcome. Products that the store no longer has are not deleted. Throws `not_found`, and
 * `invalid_transition` while a sync of the store is running.
 */
export async function syncStore(ctx: Ctx<TenantActor>, { id }: { id: StoreId }): Promise<{ id: ImportId }> {
  const importId = await reserve(ctx, id);
  void runInBackground(ctx, { work: "fetch_store", importId }, () => fetchStoreProducts(ctx, { id: importId }));
  return { id: importId };
}

async function reserve(ctx: Ctx<TenantActor>, storeId: StoreId): Promise<ImportId> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const store = await getStoreRow(tx, storeId);
      const id = newId<ImportId>();
      const now = tx.clock();
      await tx.db.insert(productImports).values({
        id,
        accountId: tx.actor.accountId,
        storeId,
        commitRequested: true,
        fileName: store.name,
        deriveSku: store.deriveSku,
        defaultCategory: store.defaultCategory,
        createdAt: now,
        createdBy: tx.actor.userId,
        heartbeatAt: now,
      });
      const nextSyncAt = nextSync(store.frequency, now);
      await tx.db
        .update(productStores)
        .set({ nextSyncAt })
        .where(and(whereOwnStore(tx, storeId), eq(productStores.frequency, store.frequency)));
      return id;
    });
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw new DomainError("invalid_transition", "This store is already syncing");
  }
}
