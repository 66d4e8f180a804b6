import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { loadReachForQuery } from "#app/screens/shared/campaigns/reach/load-reach.server.ts";

/** Returns the estimated reach of audiences for the script that updates it while the user selects. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = await requirePortalAccess(request, "advertiser", context);
  return Response.json(await loadReachForQuery(ctx, request));
}
