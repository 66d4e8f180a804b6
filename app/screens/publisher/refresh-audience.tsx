import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { refreshAudience } from "#app/domain/audiences/refresh-audience.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/** Where the button Refresh now leads: to the report of what it began, or back with what stands in the way. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<AudienceId>(params.id);
  await orNotFoundPage(getAudience(ctx, id));
  try {
    const upload = await refreshAudience(ctx, id);
    return redirect(portalHref(base, `/audiences/${id}/uploads/${upload.id}`));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(portalHref(base, `/audiences/${id}`), { tone: "error", message: error.message });
  }
}

/** Whoever comes here by an address wants the audience. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { id } = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  return redirect(portalHref(base, `/audiences/${id}`));
}
