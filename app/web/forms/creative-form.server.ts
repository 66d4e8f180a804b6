import { creativeLimits } from "#app/domain/creatives/creative.ts";
import { type Multipart, openMultipart } from "#app/web/multipart.server.ts";

/**
 * Opens a posted form with creatives among its fields; the files are read as they arrive. Throws as `openMultipart`
 * does.
 */
export function openCreativeForm(request: Request): Promise<Multipart> {
  // Files above the limit are rejected individually.
  const limits = { fileBytes: creativeLimits.fileBytes, files: 10 * creativeLimits.perUpload, fields: 600 };
  return openMultipart(request, { limits });
}
