import type { LoaderFunctionArgs } from "@remix-run/node";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { retryHint, retryLaterHint } from "#app/domain/heartbeat.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import type { UploadProgress } from "#app/portal/uploads/upload-progress.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/** Returns an upload's progress for the script that shows it on every page of the portal. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const upload = await orThrow404(getUpload(ctx, requireIdParam<UploadId>(params.upload)));
  const { status, error, rowsRead, rowsInvalid, rowsOptedOut, duplicates, peopleAdded, peopleRemoved } = upload;
  const state: UploadProgress = {
    report: portalHref(base, `/audiences/${upload.audienceId}/uploads/${upload.id}`),
    status,
    error,
    retryable: [retryHint, retryLaterHint].some((hint) => error?.endsWith(hint)),
    rowsRead,
    rowsInvalid,
    rowsOptedOut,
    duplicates,
    peopleAdded,
    peopleRemoved,
  };
  return Response.json(state);
}
