import { productStores } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { StoreId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { getStoreRow, whereOwnStore } from "./store-rows.server.ts";

/** Deletes a store's credentials. Its products and reports stay; syncs stop. Throws `not_found`. */
export async function disconnectStore(ctx: Ctx<TenantActor>, { id }: { id: StoreId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { kind, storeUrl } = await getStoreRow(tx, id);
    await tx.db.update(productStores).set({ credential: null, nextSyncAt: null }).where(whereOwnStore(tx, id));
    await recordAudit(tx, {
      action: "store.disconnected",
      entity: "store",
      entityId: id,
      accountId: tx.actor.accountId,
      before: { kind, store_url: storeUrl },
    });
  });
}
