import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { refreshAudience } from "#app/domain/audiences/integrations/refresh-audience.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/** Handles the Refresh now button: redirects to the report of the new sync, or back with the error. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<AudienceId>(params.id);
  await orThrow404(getAudience(ctx, id));
  try {
    const upload = await refreshAudience(ctx, id);
    return redirect(portalHref(base, `/audiences/${id}/uploads/${upload.id}`));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(portalHref(base, `/audiences/${id}`), { tone: "error", message: error.message });
  }
}

/** A GET of this URL redirects to the audience. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const { id } = await orThrow404(getAudience(ctx, requireIdParam<AudienceId>(params.id)));
  return redirect(portalHref(base, `/audiences/${id}`));
}
