import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { dismissBanner, loadPortal } from "#app/portal/load-portal.server.ts";
import { portalMeta } from "#app/portal/portal-meta.ts";
import { PortalErrorBoundary, PortalRoute } from "#app/portal/portal-route.tsx";

export function loader({ request, context }: LoaderFunctionArgs) {
  return loadPortal(request, "advertiser", context);
}

export function action({ request, context }: ActionFunctionArgs) {
  return dismissBanner(request, "advertiser", context);
}

export default PortalRoute;
export { PortalErrorBoundary as ErrorBoundary, portalMeta as meta };
