import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { EmptyState } from "#app/ui/page-header.tsx";
import { describeFailure } from "#app/web/describe-failure.ts";
import { useRequestId } from "#app/web/request-id.ts";
import { AccessDenied } from "./access-denied.tsx";
import { accessDeniedTitle } from "./denials.ts";
import type { loadPortal } from "./load-portal.server.ts";
import { portalFromPath, portalHref, portalMount } from "./portal-href.ts";
import { PortalLayout } from "./portal-layout.tsx";

/** The layout route of both portals, in both modes. */
export function PortalRoute() {
  const frame = useLoaderData<typeof loadPortal>();
  if (!frame) return <Outlet />;
  return (
    <PortalLayout {...frame}>
      <Outlet />
    </PortalLayout>
  );
}

/** Shows an error of a portal's screen: a denial replaces the whole page, any other error keeps the layout. */
export function PortalErrorBoundary() {
  const error = useRouteError();
  const frame = useFrame();
  const base = useBase();
  const requestId = useRequestId();
  if (isRouteErrorResponse(error) && error.statusText === accessDeniedTitle) {
    return <AccessDenied message={String(error.data)} base={base} />;
  }
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const { title, text, isLogged } = missing ? notThere : describeFailure(error);
  const words =
    isLogged && requestId ? `${text} If it happens again, contact support with request ID ${requestId}.` : text;
  const wayOn = (
    <LinkButton to={portalHref(base, "/dashboard")} variant="primary">
      Go to the dashboard
    </LinkButton>
  );
  if (!frame) {
    return (
      <MessagePage icon={<Icon name="circle-exclamation-point" />} tone="bad" title={title}>
        <p>{words}</p>
        <div className="actions">{wayOn}</div>
      </MessagePage>
    );
  }
  return (
    <PortalLayout {...frame}>
      <EmptyState icon={missing ? "search-x" : "circle-exclamation-point"} title={title} heading="h1" action={wayOn}>
        {words}
      </EmptyState>
    </PortalLayout>
  );
}

const notThere = {
  title: "Page not found",
  text: "This page doesn't exist, or your account doesn't have access to it. Check the URL or go to the dashboard.",
  isLogged: false,
};

/**
 * Returns the layout's loader data if it loaded; an error boundary must not call `useLoaderData`. A mount's route id is
 * its path.
 */
function useFrame() {
  return useRouteLoaderData<typeof loadPortal>(useBase().slice(1));
}

function useBase() {
  const { pathname } = useLocation();
  return portalMount(portalFromPath(pathname), pathname).base;
}
