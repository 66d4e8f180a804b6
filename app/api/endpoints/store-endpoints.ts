import { z } from "zod";
import { saveStore, testStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { disconnectStore } from "#app/domain/catalog/stores/disconnect-store.server.ts";
import { getStore, listStores, type Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { storeKinds, storeProblems, syncFrequencies } from "#app/domain/catalog/stores/store.ts";
import { storeSchema as newStoreSchema, storeChangesSchema } from "#app/domain/catalog/stores/store-payloads.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import { updateStore } from "#app/domain/catalog/stores/update-store.server.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { markReplayed, parseIdempotencyKey } from "../idempotency-key.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape, timeOrNull, wire } from "../wire.ts";

const storeSchema = z.object({
  id: wire.id,
  kind: z.enum(storeKinds),
  name: z.string(),
  store_url: z.string(),
  frequency: z.enum(syncFrequencies),
  derive_sku: z.boolean(),
  default_category: z.string().nullable(),
  problem: z.enum(storeProblems).nullable().describe("Error from the last request; null if it succeeded"),
  checked_at: wire.time,
  next_sync_at: wire.time.nullable(),
  last_import_id: wire.id.nullable().describe("See GET /api/products/imports/{id}"),
});
const response = z.object({ store: storeSchema });

/** Endpoints for the stores that a catalog is imported from. Responses never contain credentials. */
export const storeEndpoints = {
  "GET /api/stores": tenantEndpoint({
    summary: "List the account's connected stores",
    query: z.object(pageQuery),
    response: z.object({ stores: z.array(storeSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listStores(ctx), query, ({ id }) => id);
      return { stores: page.rows.map(storeJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/stores": tenantEndpoint({
    summary:
      "Connect a Shopify or WooCommerce store, or a product feed by its URL. Credentials and URL are verified first",
    body: newStoreSchema,
    response,
    status: 201,
    allowsApiKeys: false,
    errors: ["limit_reached", "invalid_transition"],
    prepare: async ({ body }) => {
      const tested = await testStore(body);
      return async (ctx) => {
        const { id } = await saveStore(ctx, tested);
        return { store: storeJson(await getStore(ctx, id)) };
      };
    },
  }),
  "PATCH /api/stores/{id}": tenantEndpoint({
    summary: "Update a store's sync schedule and its rules for missing SKUs and categories",
    body: storeChangesSchema,
    response,
    run: async ({ ctx, params, body }) => {
      const id = requireId<StoreId>("Store", params.id);
      await updateStore(ctx, { id, changes: body });
      return { store: storeJson(await getStore(ctx, id)) };
    },
  }),
  "DELETE /api/stores/{id}": tenantEndpoint({
    summary: "Disconnect a store and delete its credentials. Products are kept",
    response: z.object(successShape),
    run: async ({ ctx, params }) => {
      await disconnectStore(ctx, { id: requireId<StoreId>("Store", params.id) });
      return successBody;
    },
  }),
  "POST /api/stores/{id}/sync": tenantEndpoint({
    summary: "Sync a store's products now. Track progress in the returned import",
    response,
    status: 202,
    continuesInBackground: true,
    errors: ["invalid_transition"],
    run: async ({ ctx, params, apiRequest }) => {
      const id = requireId<StoreId>("Store", params.id);
      const { isNew } = await syncStore(ctx, { id, key: parseIdempotencyKey(apiRequest.head) });
      if (!isNew) markReplayed(apiRequest);
      return { store: storeJson(await getStore(ctx, id)) };
    },
  }),
};

function storeJson(store: Store): z.input<typeof storeSchema> {
  return {
    id: store.id,
    kind: store.kind,
    name: store.name,
    store_url: store.storeUrl,
    frequency: store.frequency,
    derive_sku: store.deriveSku,
    default_category: store.defaultCategory,
    problem: store.problem,
    checked_at: store.checkedAt.toISOString(),
    next_sync_at: timeOrNull(store.nextSyncAt),
    last_import_id: store.last?.id ?? null,
  };
}
