import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import type { LinksFunction, MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Link,
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
import { NonceContext } from "#app/web/nonce-context.ts";
import stylesUrl from "./styles/app.css?url";
import { Panel } from "./ui/panel.tsx";

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesUrl },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: productName }];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  return (
    <html lang="en">
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
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <Panel icon={<SearchX aria-hidden />} title="Page not found">
        <p>There is nothing at this address. It may have moved, or the link may be incomplete.</p>
        <HomeButton />
      </Panel>
    );
  }
  return (
    <Panel
      icon={<CircleAlert aria-hidden />}
      tone="bad"
      title={isRouteErrorResponse(error) && error.status < 500 ? "That did not work" : "Something went wrong"}
    >
      <p>
        {isRouteErrorResponse(error) && error.status < 500 && typeof error.data === "string" && error.data
          ? error.data
          : "It is written down and not your fault. Try again in a moment."}
      </p>
      <HomeButton />
    </Panel>
  );
}

function HomeButton() {
  return (
    <div className="actions">
      <Link className="button button-primary" to="/">
        Return Home
      </Link>
    </div>
  );
}
