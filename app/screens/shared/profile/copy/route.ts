import type { LoaderFunctionArgs } from "@remix-run/node";
import { DomainError } from "#app/domain/errors.ts";
import { copyPersonalData } from "#app/domain/privacy/copy-personal-data.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireOwnDataAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectInTestMode } from "#app/screens/shared/profile/redirect-in-test-mode.server.ts";
import { consumeExportLimit } from "#app/web/exports/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { streamDownload } from "#app/web/stream-download.ts";

/** Downloads a copy of the person's and the account's data as JSON. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base, mode } = await requireOwnDataAccess(request, context);
  if (mode === "test") return await redirectInTestMode(base);
  try {
    await consumeExportLimit(ctx, request);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const page = viewer.status === "approved" ? "/profile" : "/profile/close";
    return redirectWithFlash(portalHref(base, page), { tone: "error", message: error.message });
  }
  return streamDownload(copyPersonalData(ctx, { userId: viewer.id }), {
    fileName: "your-data.json",
    type: "application/json",
  });
}
