import { productStores } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { StoreId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { nextSync } from "./store.ts";
import type { StoreChanges } from "./store-payloads.ts";
import { getStoreRow, ownStore } from "./store-rows.server.ts";

/** How often a shop is fetched, and what may be made up for it; from the next sync on. Throws `not_found`. */
export async function changeStore(
  ctx: Ctx<TenantActor>,
  { id, changes }: { id: StoreId; changes: StoreChanges },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await getStoreRow(tx, id);
    const {
      frequency = before.frequency,
      derive_sku: deriveSku = before.deriveSku,
      default_category: defaultCategory = before.defaultCategory,
    } = changes;
    const isSame = before.frequency === frequency;
    const nextSyncAt = isSame ? before.nextSyncAt : nextSync(frequency, tx.clock());
    await tx.db
      .update(productStores)
      .set({ frequency, deriveSku, defaultCategory, nextSyncAt })
      .where(ownStore(tx, id));
    await recordAudit(tx, {
      action: "store.changed",
      entity: "store",
      entityId: id,
      accountId: tx.actor.accountId,
      before: { frequency: before.frequency, derive_sku: before.deriveSku, default_category: before.defaultCategory },
      after: { frequency, derive_sku: deriveSku, default_category: defaultCategory },
    });
  });
}
