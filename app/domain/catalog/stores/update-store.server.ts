import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { productStores } from "#db/schema/index.ts";
import { nextSync } from "./store.ts";
import type { StoreChanges } from "./store-payloads.ts";
import { whereOwnStore } from "./store-rows.server.ts";

/** Updates a store's sync schedule and generated values, from the next sync on. Throws `not_found`. */
export async function updateStore(
  ctx: Ctx<TenantActor>,
  { id, changes }: { id: StoreId; changes: StoreChanges },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    // Waits for other changes and for the start of a sync, which all write what they have read.
    const [before] = await tx.db.select().from(productStores).where(whereOwnStore(tx, id)).for("no key update");
    if (!before) throw notFound("Store");
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
      .where(whereOwnStore(tx, id));
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
