import { useLocation } from "@remix-run/react";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";

const plansPath = "/billing?tab=subscription";

/** Leads to the plans; a plan chosen there comes back to this page. */
export function SeePlansLink({ base }: { base: PortalBase }) {
  const { pathname, search } = useLocation();
  return (
    <Link className="link" to={withNext(portalHref(base, plansPath), pathname + search)}>
      See plans
    </Link>
  );
}

/** Opens the plans beside a form that has input, which is sent again from its own tab. */
export function SeePlansInNewTab({ base }: { base: PortalBase }) {
  return (
    <a className="link" href={portalHref(base, plansPath)} target="_blank" rel="noopener">
      See plans in a new tab
    </a>
  );
}
