import { defaultImportSettings, importFormLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { receiveImport } from "#app/domain/catalog/imports/receive-import.server.ts";
import { compareImport, reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { openUploadForm } from "#app/web/forms/upload-form.server.ts";

/**
 * Receives the file of a posted form, once per idempotency key. The resulting import records the outcome. Throws
 * `idempotency_conflict` when the key was used for another file, and what `openUploadForm` throws.
 */
export async function receiveCatalogFile(ctx: Ctx<TenantActor>, request: Request): Promise<ImportId> {
  const multipart = await openUploadForm(request, { limits: importFormLimits, hashed: true });
  try {
    const key = keyOf(multipart.fields.get("idempotency_key"));
    const { id, run } = await reserveImport(ctx, { key });
    // Defaults are asked for when the preview shows what is missing.
    const settings = () => ({ ...defaultImportSettings, columns: {}, commit: false });
    const isNew = run !== undefined;
    const compare = async () => compareImport(ctx, { key, id, isNew, contentHash: await multipart.contentHash() });
    if (isNew) {
      await receiveImport(ctx, { id, run, files: multipart.files, settings, compare }).catch((error: unknown) => {
        // The file exceeds its limit; the import records that.
        if (!(error instanceof DomainError)) throw error;
      });
    }
    await compare();
    return id;
  } finally {
    await multipart.discard();
  }
}

function keyOf(value: FormDataEntryValue | null): string | undefined {
  return typeof value === "string" && /^[\w-]{8,200}$/.test(value) ? `form:${value}` : undefined;
}
