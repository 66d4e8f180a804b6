import { z } from "zod";
import { changeStore } from "#app/domain/catalog/stores/change-store.server.ts";
import { connectStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { disconnectStore } from "#app/domain/catalog/stores/disconnect-store.server.ts";
import { getStore, listStores, type Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { storeKinds, storeProblems, syncFrequencies } from "#app/domain/catalog/stores/store.ts";
import { storeSchema as newStoreSchema, storeChangesSchema } from "#app/domain/catalog/stores/store-payloads.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { tenantCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { done, doneShape, pageAnswer, pageQuery, timeOrNull, wire } from "../wire.ts";

const storeSchema = z.object({
  id: wire.id,
  kind: z.enum(storeKinds),
  name: z.string(),
  shop_url: z.string(),
  frequency: z.enum(syncFrequencies),
  derive_sku: z.boolean(),
  default_category: z.string().nullable(),
  problem: z.enum(storeProblems).nullable().describe("What came of the last request; null when it went well"),
  checked_at: wire.time,
  next_sync_at: wire.time.nullable(),
  last_import_id: wire.id.nullable().describe("See GET /api/products/imports/{id}"),
});
const answer = z.object({ store: storeSchema });

/** Calls about the shops that a catalogue is fetched from. Credentials go in and never come out. */
export const storeCalls = {
  "GET /api/stores": tenantCall({
    summary: "The account's connected shops",
    query: z.object(pageQuery),
    answer: z.object({ stores: z.array(storeSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listStores(ctx), query, ({ id }) => id);
      return { stores: page.rows.map(storeJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/stores": tenantCall({
    summary: "Connect a Shopify or WooCommerce shop, with credentials that are tried first",
    body: newStoreSchema,
    answer,
    status: 201,
    keys: false,
    run: async ({ ctx, body }) => {
      const { id } = await connectStore(ctx, body);
      return { store: storeJson(await getStore(ctx, id)) };
    },
  }),
  "PATCH /api/stores/{id}": tenantCall({
    summary: "How often a shop is fetched, and what may be made up for it",
    body: storeChangesSchema,
    answer,
    run: async ({ ctx, params, body }) => {
      const id = requireId<StoreId>("Store", params.id);
      await changeStore(ctx, { id, changes: body });
      return { store: storeJson(await getStore(ctx, id)) };
    },
  }),
  "DELETE /api/stores/{id}": tenantCall({
    summary: "Forget a shop's credentials; its products stay",
    answer: z.object(doneShape),
    run: async ({ ctx, params }) => {
      await disconnectStore(ctx, { id: requireId<StoreId>("Store", params.id) });
      return done;
    },
  }),
  "POST /api/stores/{id}/sync": tenantCall({
    summary: "Fetch a shop's products now; the import says how it goes",
    answer,
    status: 202,
    goesOn: true,
    run: async ({ ctx, params }) => {
      const id = requireId<StoreId>("Store", params.id);
      await syncStore(ctx, { id });
      return { store: storeJson(await getStore(ctx, id)) };
    },
  }),
};

function storeJson(store: Store): z.input<typeof storeSchema> {
  return {
    id: store.id,
    kind: store.kind,
    name: store.name,
    shop_url: store.shopUrl,
    frequency: store.frequency,
    derive_sku: store.deriveSku,
    default_category: store.defaultCategory,
    problem: store.problem,
    checked_at: store.checkedAt.toISOString(),
    next_sync_at: timeOrNull(store.nextSyncAt),
    last_import_id: store.last?.id ?? null,
  };
}
