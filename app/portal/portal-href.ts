import type { AccountType } from "#app/domain/accounts/account.ts";

/** Whether a portal acts for the signed-in tenant (`live`) or for the demo tenant (`test`). */
export type PortalMode = "live" | "test";

/**
 * The path a portal is mounted at. Every link inside the portal begins with it: an absolute link would leave test mode.
 */
export type PortalBase = `/${AccountType}` | `/${AccountType}/test-mode`;

/** Returns the mount that a path belongs to. */
export function portalMount(portal: AccountType, pathname: string): { mode: PortalMode; base: PortalBase } {
  const test: PortalBase = `/${portal}/test-mode`;
  return pathname === test || pathname.startsWith(`${test}/`)
    ? { mode: "test", base: test }
    : { mode: "live", base: `/${portal}` };
}

/** Returns the portal that a path belongs to, for screens that both have. Case-insensitive, as the router is. */
export function portalFromPath(pathname: string): AccountType {
  return /^\/publisher\b/i.test(pathname) ? "publisher" : "advertiser";
}

/** `portalHref(base, "/campaigns?status=active")` returns the page's path in the current portal. */
export function portalHref(base: PortalBase, path: `/${string}`): `/${string}` {
  return path === "/" ? base : `${base}${path}`;
}
