import { redirect } from "@remix-run/node";
import { chosenColumnsOf } from "#app/domain/catalog/import-payloads.ts";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { discardImport } from "#app/domain/catalog/imports/discard-import.server.ts";
import { getImport } from "#app/domain/catalog/imports/get-import.server.ts";
import { remapImport } from "#app/domain/catalog/imports/remap-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";
import { importForms } from "./import-forms.ts";

/** Commits a preview, lets it go, or reads its file again with other columns; and stays on its page. */
export async function steerImport(
  ctx: Ctx<TenantActor>,
  { request, id, page }: { request: Request; id: ImportId; page: string },
) {
  await orNotFoundPage(getImport(ctx, id));
  return submitForm(request, importForms, async (form) => {
    switch (form.intent) {
      case "commit":
        await commitImport(ctx, { id });
        return redirect(page);
      case "discard":
        await discardImport(ctx, { id });
        return redirectWithFlash(page, { tone: "info", message: "Nothing was imported" });
      case "read-again": {
        const options = { deriveSku: form.derive_sku, defaultCategory: form.default_category };
        await remapImport(ctx, { id, columns: chosenColumnsOf(form), options });
        return redirectWithFlash(page, { tone: "success", message: "The file was read again with these columns" });
      }
    }
  });
}
