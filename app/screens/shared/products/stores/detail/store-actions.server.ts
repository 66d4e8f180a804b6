import { getStore } from "#app/domain/catalog/stores/list-stores.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import { updateStore } from "#app/domain/catalog/stores/update-store.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { storeActionSchema } from "#app/screens/shared/products/stores/store-form-schemas.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

/** Imports a store now, or changes how often it is imported. */
export async function handleStoreAction(
  ctx: Ctx<TenantActor>,
  { request, id, base }: { request: Request; id: StoreId; base: PortalBase },
) {
  const { name } = await orThrow404(getStore(ctx, id));
  const page = portalHref(base, `/products/stores/${id}`);
  return handleForm(request, storeActionSchema, async (form) => {
    switch (form.intent) {
      case "sync":
        await syncStore(ctx, { id });
        return redirectWithFlash(page, { tone: "info", message: `Sync started for ${name}` });
      case "save": {
        const { intent: _, ...changes } = form;
        await updateStore(ctx, { id, changes });
        return redirectWithFlash(page, { tone: "success", message: "Store settings saved" });
      }
    }
  });
}
