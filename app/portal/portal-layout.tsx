import { Form, Link, useLocation } from "@remix-run/react";
import { ArrowLeftRight, Bell as BellIcon, LogOut, Menu as MenuIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { productName } from "#app/domain/product.ts";
import { formatNumberOf } from "#app/ui/format.ts";
import { Avatar, Logo } from "#app/ui/identity.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { type PortalBase, type PortalMode, portalHref } from "./href.ts";
import { type NavigationItem, navigation } from "./navigation.ts";
import { UploadSlot } from "./uploads/upload-slot.tsx";

export type PortalFrame = {
  portal: AccountType;
  mode: PortalMode;
  base: PortalBase;
  viewer: { name: string; email: string; companyName: string };
  pendingApprovals: number | undefined;
  /** Notices that nobody of the account has read; they are counted up to 100. */
  unread: number;
  flash: { tone: "success" | "error" | "info"; message: string } | undefined;
  bannerDismissed: boolean;
};

const flashTones = { success: "good", error: "bad", info: "info" } as const;

/** The frame around a portal's screens: sidebar (on a phone a menu), top bar, what the last form did, the page, uploads. */
export function PortalLayout({ children, ...frame }: PortalFrame & { children: ReactNode }) {
  const { portal, mode, base, viewer, flash } = frame;
  const { key: page } = useLocation();
  return (
    <div className="frame" data-portal={portal}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {mode === "test" && !frame.bannerDismissed ? <TestModeBanner portal={portal} base={base} /> : null}
      <aside className="sidebar">
        <div>
          <HomeLink base={base} />
          <nav aria-label="Portal">
            <Pages {...frame} />
          </nav>
          <Ways mode={mode} />
        </div>
      </aside>
      <header className="topbar">
        {/* A menu of its own for each page, or it would stay open over the one it led to. */}
        <details className="topbar-menu" key={page}>
          <summary aria-label="Menu">
            <MenuIcon aria-hidden />
          </summary>
          <div className="nav-panel">
            <nav aria-label="Portal">
              <Pages {...frame} />
            </nav>
            <Ways mode={mode} />
          </div>
        </details>
        <HomeLink base={base} />
        <Bell base={base} unread={frame.unread} />
        <Link
          className="account-link"
          to={portalHref(base, "/profile")}
          prefetch="intent"
          aria-label={`${viewer.companyName}: profile`}
        >
          <span>{viewer.companyName}</span>
          <Avatar name={viewer.companyName} />
        </Link>
      </header>
      <main className="page" id="main" tabIndex={-1}>
        <div className="flash" aria-live="polite">
          {flash ? <Notice tone={flashTones[flash.tone]}>{flash.message}</Notice> : null}
        </div>
        {children}
      </main>
      <UploadSlot owner={`${base} ${viewer.email}`} />
    </div>
  );
}

/** The way to what the account was told, with how much of it is new. */
function Bell({ base, unread }: { base: PortalBase; unread: number }) {
  const { pathname } = useLocation();
  const to = portalHref(base, "/notifications");
  const words = unread === 0 ? "Notifications" : `Notifications, ${unread > 99 ? "more than 99" : unread} unread`;
  return (
    <Link
      className="bell"
      to={to}
      prefetch="intent"
      aria-label={words}
      aria-current={pathname === to ? "page" : undefined}
    >
      <BellIcon aria-hidden />
      {unread > 0 ? (
        <span className="badge badge-warn" aria-hidden>
          {unread > 99 ? "99+" : unread}
        </span>
      ) : null}
    </Link>
  );
}

function HomeLink({ base }: { base: PortalBase }) {
  return (
    <Link className="logo" to={portalHref(base, "/dashboard")}>
      <Logo />
      {productName}
    </Link>
  );
}

function Pages({ portal, base, pendingApprovals }: PortalFrame) {
  const { pathname } = useLocation();
  const isHere = (item: NavigationItem) =>
    pathname.startsWith(`${base}${item.path}`) || (item.path === "/dashboard" && pathname.replace(/\/$/, "") === base);
  return (
    <ul className="nav-list">
      {navigation[portal].map((item) => (
        <li key={item.path}>
          <Link to={portalHref(base, item.path)} prefetch="intent" aria-current={isHere(item) ? "page" : undefined}>
            <item.icon aria-hidden />
            {item.label}
            {item.count && pendingApprovals ? (
              <span className="badge badge-warn">
                <span aria-hidden>{pendingApprovals}</span>
                <span className="sr-only">{formatNumberOf(pendingApprovals, "campaign")} waiting</span>
              </span>
            ) : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The ways out. In test mode nobody is signed in, so there is nothing to sign out of. */
function Ways({ mode }: { mode: PortalMode }) {
  return (
    <ul className="nav-list">
      <li>
        <Link to="/">
          <ArrowLeftRight aria-hidden />
          Switch Portal
        </Link>
      </li>
      <li>
        {mode === "test" ? (
          <Link to="/">
            <LogOut aria-hidden />
            Sign Out
          </Link>
        ) : (
          <Form method="post" action="/logout">
            <button type="submit">
              <LogOut aria-hidden />
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
          <X aria-hidden />
        </button>
      </Form>
    </aside>
  );
}
