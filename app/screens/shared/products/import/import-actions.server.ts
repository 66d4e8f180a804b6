import { redirect } from "@remix-run/node";
import { parseChosenColumns, toImportSettings } from "#app/domain/catalog/import-payloads.ts";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { discardImport } from "#app/domain/catalog/imports/discard-import.server.ts";
import { getImport } from "#app/domain/catalog/imports/get-import.server.ts";
import { remapImport } from "#app/domain/catalog/imports/remap-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";
import { importActionSchema } from "./import-action-schema.ts";

/** Commits a preview, discards it, or reads its file again with other columns; stays on its page. */
export async function handleImportAction(
  ctx: Ctx<TenantActor>,
  { request, id, page }: { request: Request; id: ImportId; page: string },
) {
  await orThrow404(getImport(ctx, id));
  return handleForm(request, importActionSchema, async (form) => {
    switch (form.intent) {
      case "commit":
        await commitImport(ctx, { id });
        return redirect(page);
      case "discard":
        await discardImport(ctx, { id });
        return redirectWithFlash(page, { tone: "info", message: "Import discarded" });
      case "read-again": {
        await remapImport(ctx, { id, columns: parseChosenColumns(form), settings: toImportSettings(form) });
        return redirectWithFlash(page, { tone: "success", message: "File read again. Check the new preview." });
      }
    }
  });
}
