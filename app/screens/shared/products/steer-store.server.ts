import { changeStore } from "#app/domain/catalog/stores/change-store.server.ts";
import { getStore } from "#app/domain/catalog/stores/list-stores.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";
import { storeForms } from "./store-forms.ts";

/** Fetches a shop, or changes how often that is done. */
export async function steerStore(
  ctx: Ctx<TenantActor>,
  { request, id, base }: { request: Request; id: StoreId; base: PortalBase },
) {
  const { name } = await orNotFoundPage(getStore(ctx, id));
  const page = portalHref(base, `/products/stores/${id}`);
  return submitForm(request, storeForms, async (form) => {
    switch (form.intent) {
      case "sync":
        await syncStore(ctx, { id });
        return redirectWithFlash(page, { tone: "info", message: `The products of ${name} are being fetched` });
      case "save": {
        const { intent: _, ...changes } = form;
        await changeStore(ctx, { id, changes });
        return redirectWithFlash(page, { tone: "success", message: "Saved" });
      }
    }
  });
}
