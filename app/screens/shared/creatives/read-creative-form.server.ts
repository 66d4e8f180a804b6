import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { FileError } from "#app/domain/creatives/creative.ts";
import { uploadCreatives } from "#app/domain/creatives/upload-creatives.server.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { openCreativeForm } from "#app/web/creative-form.server.ts";
import { readForm } from "#app/web/form.server.ts";
import { log } from "#app/web/log.server.ts";
import { CutOff } from "#app/web/uploads.server.ts";

export type CreativeForm = {
  fields: FormData;
  /** Of the files in it that were taken. */
  ids: CreativeId[];
  /** Why others were not; a problem of no file has no name. */
  errors: FileError[];
};

/**
 * Reads a form that may have creatives in it, and takes them in: what is wrong with a file, or with the storage, is told
 * beside the form's other fields. Throws 400 for a form that breaks off, and what `readForm` throws.
 */
export async function readCreativeForm(ctx: Ctx<TenantActor>, request: Request): Promise<CreativeForm> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return { fields: await readForm(request), ids: [], errors: [] };
  const { files, allFields, discard } = await openCreativeForm(request);
  const { ids, errors } = await uploadCreatives(ctx, { files })
    .catch((error: unknown) => {
      if (error instanceof CutOff || error instanceof FileRefusal) throw unreadable();
      if (!(error instanceof StorageError)) throw error;
      log.error("storage", { requestId: ctx.requestId, error });
      return { ids: [], errors: [{ file: "", message: "Files cannot be stored at the moment. Try again later." }] };
    })
    .finally(discard);
  // Whoever presses the button of the files alone means to send some.
  const none = allFields.get("intent") === "upload" && ids.length + errors.length === 0;
  return { fields: allFields, ids, errors: none ? [{ file: "", message: "Choose at least one file" }] : errors };
}

function unreadable(): Response {
  return new Response("The form cannot be read", { status: 400, statusText: "Bad Request" });
}

/** The form's fields with the new creatives among the chosen ones. */
export function withCreatives({ fields, ids }: Pick<CreativeForm, "fields" | "ids">): FormData {
  const chosen = fields.getAll("creative_ids");
  for (const id of ids) if (!chosen.includes(id)) fields.append("creative_ids", id);
  return fields;
}

/** `photo.png: The file is larger than 50 MB.` */
export function wordsOfErrors(errors: readonly FileError[]): string[] {
  return errors.map(({ file, message }) => (file === "" ? message : `${file}: ${message}`));
}
