import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import type { LinksFunction, MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useNavigation,
  useRouteError,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { appName } from "#app/domain/branding.ts";
import { Icon } from "#app/ui/icon.tsx";
import { describeFailure } from "#app/web/describe-failure.ts";
import { LostRequestNotice } from "#app/web/lost-requests/lost-request-notice.tsx";
import { NonceContext } from "#app/web/nonce-context.ts";
import { DocumentRequestContext, useRequestId } from "#app/web/request-id.ts";
import { restoreScroll } from "#app/web/restore-scroll.ts";
import { staticPage } from "#app/web/static-page.ts";
import { type Theme, themes } from "#app/web/theme.ts";
import stylesUrl from "./styles/app.css?url";
import { LinkButton } from "./ui/button.tsx";
import { FormHost } from "./ui/form/form-host.tsx";
import { usePageHydration } from "./ui/lazy/page-hydration.ts";
import { MessagePage } from "./ui/message-page.tsx";

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesUrl },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: appName }];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const { id, theme } = useContext(DocumentRequestContext);
  const isStatic = useMatches().some(({ handle }) => handle === staticPage);
  // The scripts stay where a page with scripts leads to a static one: React is loaded by then.
  const loadsScripts = !isStatic || typeof document !== "undefined";
  return (
    <html lang="en" data-request-id={id} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColor theme={theme} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {loadsScripts ? (
          <>
            {import.meta.env.SSR ? <RestoreScroll nonce={nonce} /> : <ScrollRestoration nonce={nonce} />}
            <Scripts nonce={nonce} />
          </>
        ) : null}
      </body>
    </html>
  );
}

/** Remix's component in the browser, which writes its script on the server only, has nothing else to do there. */
function RestoreScroll({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is a constant.
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: restoreScroll }} />;
}

/** What the browser paints around the page: the page's ground (`--ground`). */
function ThemeColor({ theme }: { theme: Theme | undefined }) {
  if (theme) return <meta name="theme-color" content={grounds[theme]} />;
  return themes.map((scheme) => (
    <meta key={scheme} name="theme-color" media={`(prefers-color-scheme: ${scheme})`} content={grounds[scheme]} />
  ));
}

const grounds: Record<Theme, string> = { light: "#f7f8fa", dark: "#0d1017" };

export default function Root() {
  usePageHydration();
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <div className="pending-bar" data-busy={busy || undefined} />
      <Outlet />
      <FormHost />
      <LostRequestNotice />
    </>
  );
}

/** For errors that no inner boundary handled. It depends on no loader data, because no loader may have succeeded. */
export function ErrorBoundary() {
  const error = useRouteError();
  const requestId = useRequestId();
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <MessagePage icon={<Icon name="search-x" />} title="Page not found">
        <p>This page doesn't exist. It may have moved, or the link may be incomplete.</p>
        <WayHome />
      </MessagePage>
    );
  }
  const { title, text, isLogged } = describeFailure(error);
  return (
    <MessagePage icon={<Icon name="circle-exclamation-point" />} tone="bad" title={title}>
      <p>{text}</p>
      {requestId && isLogged ? (
        <p className="hint">
          If it happens again, contact support with request ID <code>{requestId}</code>.
        </p>
      ) : null}
      <WayHome />
    </MessagePage>
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
