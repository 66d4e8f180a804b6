import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { appName } from "#app/domain/branding.ts";
import { pluralize } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Form, Link, ViewerContext } from "#app/ui/link.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { TextElement } from "#app/ui/text-element.tsx";
import { TimeZoneContext } from "#app/ui/time/use-time-formats.ts";
import type { Flash } from "#app/web/flash.server.ts";
import { type PortalBase, type PortalMode, portalHref } from "./portal-href.ts";
import { SearchField } from "./search/search-field.tsx";
import { useShortcuts } from "./shortcuts/use-shortcuts.ts";
import { type SidebarItem, sidebarItems } from "./sidebar.ts";
import { Toast } from "./toast.tsx";
import { AccountMenu } from "./topbar/account-menu.tsx";
import { NotificationsBell } from "./topbar/notifications-bell.tsx";
import { useOverlay } from "./topbar/use-overlay.tsx";
import { LazyUploadTray } from "./uploads/lazy-upload-tray.tsx";

export type PortalLayoutProps = {
  portal: AccountType;
  mode: PortalMode;
  base: PortalBase;
  /** `id`: whose page the forms say that they are on. */
  viewer: { id: string; name: string; email: string; companyName: string; timeZone: string };
  pendingApprovals: number | undefined;
  /** Notifications that nobody of the account has read, counted up to 100. */
  unread: number;
  flash: Flash | undefined;
  bannerDismissed: boolean;
  /** Whether shortcuts of a single key are on. */
  singleKeys: boolean;
};

/**
 * The layout around a portal's screens: sidebar (on a phone a menu), top bar, page, and in a corner messages and
 * uploads.
 */
export function PortalLayout({ children, ...frame }: PortalLayoutProps & { children: ReactNode }) {
  const { portal, mode, base, viewer, flash, singleKeys } = frame;
  const { key: page } = useLocation();
  const { openSearch, openShortcuts, overlay } = useOverlay({ portal, base, singleKeys });
  useShortcuts({ portal, base, singleKeys, onSearch: openSearch, onHelp: openShortcuts });
  return (
    <div className="portal-layout" data-portal={portal}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {mode === "test" && !frame.bannerDismissed ? <TestModeBanner portal={portal} base={base} /> : null}
      <TextElement as="aside" className="sidebar">
        <div>
          <HomeLink base={base} />
          <nav aria-label="Portal">
            <SidebarLinks {...frame} />
          </nav>
          <AccountLinks mode={mode} />
        </div>
      </TextElement>
      <TextElement as="header" className="topbar">
        {/* Keyed by page: otherwise the menu would stay open over the page it led to. */}
        <details className="topbar-menu" key={page}>
          <summary aria-label="Menu">
            <Icon name="menu" />
          </summary>
          <div className="nav-panel">
            <nav aria-label="Portal">
              <SidebarLinks {...frame} />
            </nav>
            <AccountLinks mode={mode} />
          </div>
        </details>
        <HomeLink base={base} />
        <SearchField base={base} onOpen={openSearch} />
        <NotificationsBell base={base} viewer={viewer.id} unread={frame.unread} key={`bell ${page}`} />
        <AccountMenu base={base} viewer={viewer} onShortcuts={openShortcuts} key={`account ${page}`}>
          <AccountLinks mode={mode} />
        </AccountMenu>
      </TextElement>
      <main className="page" id="main" tabIndex={-1}>
        <TimeZoneContext.Provider value={viewer.timeZone}>
          <ViewerContext.Provider value={viewer.id}>{children}</ViewerContext.Provider>
        </TimeZoneContext.Provider>
      </main>
      <div className="corner">
        <Toast base={base} flash={flash} />
        <LazyUploadTray owner={`${base} ${viewer.email}`} />
      </div>
      {overlay}
    </div>
  );
}

function HomeLink({ base }: { base: PortalBase }) {
  return (
    <Link className="logo" to={portalHref(base, "/dashboard")}>
      <Logo />
      {appName}
    </Link>
  );
}

function SidebarLinks({ portal, base, pendingApprovals }: PortalLayoutProps) {
  const { pathname } = useLocation();
  const isHere = (item: SidebarItem) =>
    pathname.startsWith(`${base}${item.path}`) ||
    (item.includes !== undefined && pathname.startsWith(`${base}${item.includes}`)) ||
    (item.path === "/dashboard" && pathname.replace(/\/$/, "") === base);
  return (
    <ul className="nav-list">
      {sidebarItems[portal].map((item) => (
        <li key={item.path}>
          <Link to={portalHref(base, item.path)} prefetch="intent" aria-current={isHere(item) ? "page" : undefined}>
            <Icon name={item.icon} />
            {item.label}
            {item.count && pendingApprovals ? (
              <span className="badge badge-warn">
                <span aria-hidden>{pendingApprovals > 99 ? "99+" : pendingApprovals}</span>
                <span className="sr-only">{pluralize(pendingApprovals, "campaign")} to review</span>
              </span>
            ) : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The account links. Test mode has no sign-out, because nobody is signed in. */
function AccountLinks({ mode }: { mode: PortalMode }) {
  return (
    <ul className="nav-list">
      <li>
        <Link to="/">
          <Icon name="arrow-left-right" />
          Switch Portal
        </Link>
      </li>
      <li>
        {mode === "test" ? (
          <Link to="/">
            <Icon name="log-out" />
            Sign Out
          </Link>
        ) : (
          <Form method="post" action="/logout">
            <button type="submit">
              <Icon name="log-out" />
              Sign Out
            </button>
          </Form>
        )}
      </li>
    </ul>
  );
}

function TestModeBanner({ portal, base }: { portal: AccountType; base: PortalBase }) {
  const { pathname, search } = useLocation();
  return (
    <aside className="test-banner" aria-label="Test mode">
      <p>TEST MODE: You're viewing the {portal} portal in development mode.</p>
      <Form method="post" action={base} preventScrollReset>
        <input type="hidden" name="back" value={pathname + search} />
        <button type="submit" className="button button-icon" aria-label="Dismiss">
          <Icon name="x" />
        </button>
      </Form>
    </aside>
  );
}
