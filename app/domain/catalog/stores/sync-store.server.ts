import { and, eq } from "drizzle-orm";
import { productImports, productStores } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { type ImportId, newId, type StoreId } from "../../ids.ts";
import { runAside } from "../../running-imports.server.ts";
import { inTransaction, sqlState } from "../../transaction.server.ts";
import { fetchShop } from "./fetch-shop.server.ts";
import { nextSync } from "./store.ts";
import { getStoreRow, ownStore } from "./store-rows.server.ts";

/**
 * Fetches all that a shop sells into the catalogue, as an import that goes on after the answer and says how it went.
 * Nothing is deleted that the shop no longer has. Throws `not_found`, and `invalid_transition` while a sync of it runs.
 */
export async function syncStore(ctx: Ctx<TenantActor>, { id }: { id: StoreId }): Promise<{ id: ImportId }> {
  const importId = await reserve(ctx, id);
  void runAside(ctx, { work: "fetch_store", importId }, () => fetchShop(ctx, { id: importId }));
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
        committed: true,
        fileName: store.name,
        deriveSku: store.deriveSku,
        defaultCategory: store.defaultCategory,
        createdAt: now,
        createdBy: tx.actor.userId,
        aliveAt: now,
      });
      const nextSyncAt = nextSync(store.frequency, now);
      await tx.db
        .update(productStores)
        .set({ nextSyncAt })
        .where(and(ownStore(tx, storeId), eq(productStores.frequency, store.frequency)));
      return id;
    });
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw new DomainError("invalid_transition", "A sync of this shop is running already");
  }
}
