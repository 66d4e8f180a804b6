import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { RejectedFile } from "#app/domain/creatives/creative.ts";
import { uploadCreatives } from "#app/domain/creatives/upload-creatives.server.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { openCreativeForm } from "#app/web/forms/creative-form.server.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { TruncatedFormError } from "#app/web/forms/truncated-form-error.ts";
import { log } from "#app/web/log.server.ts";
import { unreadableForm } from "#app/web/multipart.server.ts";

export type CreativeForm = {
  fields: FormData;
  /** The ids of the files that were accepted. */
  ids: CreativeId[];
  /** Why other files were rejected; an error that concerns no single file has no name. */
  errors: RejectedFile[];
};

/**
 * Reads a form that may contain creatives and stores them: errors of files and of the storage are reported beside those
 * of the other fields. Throws 400 for a truncated form, and whatever `readFormData` throws. No file is stored if
 * `checkOwner` rejects.
 */
export async function readCreativeForm(
  ctx: Ctx<TenantActor>,
  request: Request,
  checkOwner: () => Promise<unknown> = async () => {},
): Promise<CreativeForm> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return { fields: await readFormData(request), ids: [], errors: [] };
  const { files, allFields, discard } = await openCreativeForm(request);
  const { ids, errors } = await checkOwner()
    .then(() => uploadCreatives(ctx, { files }))
    .catch((error: unknown) => {
      if (error instanceof TruncatedFormError || error instanceof FileRejectedError) throw unreadableForm();
      if (!(error instanceof StorageError)) throw error;
      log.error("storage", { requestId: ctx.requestId, error });
      return { ids: [], errors: [{ file: "", message: "We can't store files right now. Try again later." }] };
    })
    .finally(discard);
  // Pressing the Upload button without files is an error.
  const none = allFields.get("intent") === "upload" && ids.length + errors.length === 0;
  return { fields: allFields, ids, errors: none ? [{ file: "", message: "Choose at least one file" }] : errors };
}

/** Returns the form's fields with the new creatives added to the selection. */
export function withUploadedCreatives({ fields, ids }: Pick<CreativeForm, "fields" | "ids">): FormData {
  const chosen = fields.getAll("creative_ids");
  for (const id of ids) if (!chosen.includes(id)) fields.append("creative_ids", id);
  return fields;
}

/** Formats `photo.png: The file is larger than 50 MB.` */
export function formatFileErrors(errors: readonly RejectedFile[]): string[] {
  return errors.map(({ file, message }) => (file === "" ? message : `${file}: ${message}`));
}
