import { openMultipart } from "#app/web/multipart.server.ts";
import { FormRejection } from "./field-gate.ts";
import { readFormData } from "./form.server.ts";

const fileNotSent = "Your browser sent the form without the file. Choose it again, or use another browser.";

/**
 * Opens the posted form of a screen that has files in its field `file`, as `openMultipart` does. A form that was sent
 * without an encoding for files has at most their names: throws FormRejection for that field, with 415 and the other
 * fields.
 */
export async function openUploadForm(...[request, options]: Parameters<typeof openMultipart>) {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return openMultipart(request, options);
  const fields = await readFormData(request);
  const status = { status: 415, statusText: "Unsupported Media Type" };
  throw new FormRejection(fileNotSent, fields, { ...status, field: "file" });
}
