import type { AccountType } from "#app/domain/accounts/account.ts";

/** Whether a portal acts for the signed-in tenant, or, in test mode, for the demo tenant. */
export type PortalMode = "live" | "test";

/** Where a portal is mounted. Every link inside it begins here: an absolute one would escape test mode. */
export type PortalBase = `/${AccountType}` | `/${AccountType}/test-mode`;

/** The mount a path lies in. */
export function portalMount(portal: AccountType, pathname: string): { mode: PortalMode; base: PortalBase } {
  const test: PortalBase = `/${portal}/test-mode`;
  return pathname === test || pathname.startsWith(`${test}/`)
    ? { mode: "test", base: test }
    : { mode: "live", base: `/${portal}` };
}

/** Which portal a path lies in: for screens that both have. (The router does not mind the case of letters either.) */
export function portalOf(pathname: string): AccountType {
  return /^\/publisher\b/i.test(pathname) ? "publisher" : "advertiser";
}

/** `portalHref(base, "/campaigns?status=active")`: the page in the portal one is in. */
export function portalHref(base: PortalBase, path: `/${string}`): `/${string}` {
  return path === "/" ? base : `${base}${path}`;
}
