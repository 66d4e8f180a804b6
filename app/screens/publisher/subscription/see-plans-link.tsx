import { useLocation } from "@remix-run/react";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";

/** Leads to the plans; a plan chosen there comes back to this page. */
export function SeePlansLink({ base }: { base: PortalBase }) {
  const { pathname, search } = useLocation();
  return (
    <Link className="link" to={withNext(portalHref(base, "/billing?tab=subscription"), pathname + search)}>
      See plans
    </Link>
  );
}
