import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import type { LinksFunction, MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useNavigation,
  useRouteError,
} from "@remix-run/react";
import { CircleAlert, SearchX } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { productName } from "#app/domain/product.ts";
import { DocumentRequest, useRequestId } from "#app/web/document-request.ts";
import { failureWords } from "#app/web/failure-words.ts";
import { LostRequestNotice } from "#app/web/lost-request-notice.tsx";
import { NonceContext } from "#app/web/nonce-context.ts";
import stylesUrl from "./styles/app.css?url";
import { LinkButton } from "./ui/button.tsx";

import { Panel } from "./ui/panel.tsx";

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesUrl },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: productName }];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  return (
    <html lang="en" data-request-id={useContext(DocumentRequest).id}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <div className="pending-bar" data-busy={busy || undefined} />
      <Outlet />
      <LostRequestNotice />
    </>
  );
}

/** For what no boundary further in has shown. It stands on its own: no loader may have answered. */
export function ErrorBoundary() {
  const error = useRouteError();
  const requestId = useRequestId();
  const answer = isRouteErrorResponse(error) ? error : undefined;
  if (answer?.status === 404) {
    return (
      <Panel icon={<SearchX aria-hidden />} title="Page not found">
        <p>There is nothing at this address. It may have moved, or the link may be incomplete.</p>
        <WayHome />
      </Panel>
    );
  }
  const hasWords = answer !== undefined && answer.status < 500 && answer.status !== 429;
  const refused = hasWords && typeof answer.data === "string";
  const failure = failureWords(error);
  return (
    <Panel icon={<CircleAlert aria-hidden />} tone="bad" title={refused ? "That did not work" : failure.title}>
      <p>{refused ? answer.data : failure.text}</p>
      {requestId && !refused && failure.isLogged ? (
        <p className="hint">
          If you write to us about it, name request <code>{requestId}</code>.
        </p>
      ) : null}
      <WayHome />
    </Panel>
  );
}

function WayHome() {
  return (
    <div className="actions">
      <LinkButton to="/" variant="primary">
        Return Home
      </LinkButton>
    </div>
  );
}
