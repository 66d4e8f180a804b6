import type { LoaderFunctionArgs } from "@remix-run/node";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import { sendAgain } from "#app/domain/heartbeat.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import type { UploadState } from "#app/portal/uploads/upload-state.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/** How an upload stands, for the script that shows it on every page of the portal. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const upload = await orNotFoundPage(getUpload(ctx, idInAddress<UploadId>(params.upload)));
  const { status, error, rowsRead, rowsInvalid, duplicates, peopleAdded, peopleRemoved } = upload;
  const state: UploadState = {
    report: portalHref(base, `/audiences/${upload.audienceId}/uploads/${upload.id}`),
    status,
    error,
    again: error?.endsWith(sendAgain) ?? false,
    rowsRead,
    rowsInvalid,
    duplicates,
    peopleAdded,
    peopleRemoved,
  };
  return Response.json(state);
}
