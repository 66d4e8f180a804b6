import { useLocation } from "@remix-run/react";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";

/** A link to the top-up that comes back to this page. */
export function TopUpLink({ base, children = "Top up your wallet" }: { base: PortalBase; children?: string }) {
  const { pathname, search } = useLocation();
  return (
    <Link className="link" to={withNext(portalHref(base, "/billing/top-up"), pathname + search)}>
      {children}
    </Link>
  );
}
