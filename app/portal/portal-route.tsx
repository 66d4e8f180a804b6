import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { CircleAlert, SearchX } from "lucide-react";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/layout.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { useRequestId } from "#app/web/document-request.ts";
import { failureWords } from "#app/web/failure-words.ts";
import { portalHref, portalMount, portalOf } from "./href.ts";
import type { loadPortal } from "./load-portal.server.ts";
import { PortalLayout } from "./portal-layout.tsx";
import { accessDenied } from "./refusal.ts";
import { RefusalPanel } from "./refusal-panel.tsx";

/** The frame of both portals, in both modes. */
export function PortalRoute() {
  return (
    <PortalLayout {...useLoaderData<typeof loadPortal>()}>
      <Outlet />
    </PortalLayout>
  );
}

/** What stops a screen of a portal: a refusal has the page to itself, everything else keeps the frame. */
export function PortalErrorBoundary() {
  const error = useRouteError();
  const frame = useFrame();
  const base = useBase();
  const requestId = useRequestId();
  if (isRouteErrorResponse(error) && error.statusText === accessDenied) {
    return <RefusalPanel message={String(error.data)} />;
  }
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const { title, text, isLogged } = missing ? notThere : failureWords(error);
  const words = isLogged && requestId ? `${text} Request ${requestId}.` : text;
  if (!frame) {
    return (
      <Panel icon={<CircleAlert aria-hidden />} tone="bad" title={title}>
        <p>{words}</p>
        <div className="actions">
          <LinkButton to={portalHref(base, "/dashboard")} variant="primary">
            Go to the dashboard
          </LinkButton>
        </div>
      </Panel>
    );
  }
  return (
    <PortalLayout {...frame}>
      <EmptyState
        icon={missing ? SearchX : CircleAlert}
        title={title}
        heading="h1"
        action={
          <LinkButton to={portalHref(frame.base, "/dashboard")} variant="primary">
            Go to the dashboard
          </LinkButton>
        }
      >
        {words}
      </EmptyState>
    </PortalLayout>
  );
}

const notThere = {
  title: "Page not found",
  text: "There is nothing at this address, or it belongs to somebody else.",
  isLogged: false,
};

/** What the layout loaded, if it did: in a boundary `useLoaderData` may not be asked. A mount's route id is its path. */
function useFrame() {
  return useRouteLoaderData<typeof loadPortal>(useBase().slice(1));
}

function useBase() {
  const { pathname } = useLocation();
  return portalMount(portalOf(pathname), pathname).base;
}
