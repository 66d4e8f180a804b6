import { productStores } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { StoreId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { getStoreRow, ownStore } from "./store-rows.server.ts";

/** Forgets a shop's credentials. Its products and its reports stay; nothing is fetched any more. Throws `not_found`. */
export async function disconnectStore(ctx: Ctx<TenantActor>, { id }: { id: StoreId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { kind, shopUrl } = await getStoreRow(tx, id);
    await tx.db.update(productStores).set({ credential: null, nextSyncAt: null }).where(ownStore(tx, id));
    await recordAudit(tx, {
      action: "store.disconnected",
      entity: "store",
      entityId: id,
      accountId: tx.actor.accountId,
      before: { kind, shop_url: shopUrl },
    });
  });
}
