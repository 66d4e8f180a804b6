import { creativeLimits } from "#app/domain/creatives/creative.ts";
import { type Multipart, openMultipart } from "./uploads.server.ts";

/** Opens a posted form with creatives among its fields, whose files are read as they arrive. Throws as `openMultipart` does. */
export function openCreativeForm(request: Request): Promise<Multipart> {
  // Files over the number that is taken are refused one by one.
  const limits = { fileBytes: creativeLimits.fileBytes, files: 10 * creativeLimits.files, fields: 600 };
  return openMultipart(request, { limits });
}
