import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { readCreativeForm } from "#app/screens/shared/creatives/read-creative-form.server.ts";

/**
 * Handles a file that a script uploads inside a portal: responds with the creative's id, or with why it was rejected.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = await requireCurrentPortalAccess(request, context);
  const { ids, errors } = await readCreativeForm(ctx, request);
  return Response.json({ ids, errors: errors.map(({ message }) => message) });
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await requireCurrentPortalAccess(request, context);
  return redirect(portalHref(base, "/creatives"));
}
