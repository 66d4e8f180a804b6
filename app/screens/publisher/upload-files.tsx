import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { uploadModes } from "#app/domain/audiences/audience.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { receiveUpload } from "#app/domain/audiences/receive-upload.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { openMultipart } from "#app/web/uploads.server.ts";
import { filesIfAny } from "./first-upload.server.ts";

const formSchema = z.object({
  mode: z.enum(uploadModes).catch("add"),
  idempotency_key: z.string().min(8).max(200).optional().catch(undefined),
});

/** Where the form of an audience's page sends its files. Its answer is the upload's report. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const audienceId = idInAddress<AudienceId>(params.id);
  const page = portalHref(base, `/audiences/${audienceId}`);
  // Before anything is read of what somebody sends to an audience that is not theirs.
  await orNotFoundPage(getAudience(ctx, audienceId));
  const multipart = await openMultipart(request);
  try {
    const { mode, idempotency_key: key } = formSchema.parse(Object.fromEntries(multipart.fields));
    const files = await filesIfAny(multipart.files);
    if (!files) return redirectWithFlash(`${page}#upload`, { tone: "error", message: "Choose at least one file" });
    const { id, isNew } = await orNotFoundPage(reserveUpload(ctx, { audienceId, mode, key: key && `form:${key}` }));
    if (isNew) {
      await receiveUpload(ctx, { id, audienceId, mode, files }).catch((error: unknown) => {
        // A file over its limit: the report says so.
        if (!(error instanceof DomainError)) throw error;
      });
    }
    return redirect(`${page}/uploads/${id}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(page, { tone: "error", message: error.message });
  } finally {
    await multipart.discard();
  }
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { id } = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  return redirect(portalHref(base, `/audiences/${id}`));
}

export default function UploadFiles() {
  return null;
}
