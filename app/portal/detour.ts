import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import type { PortalBase } from "./portal-href.ts";

/**
 * A detour, such as adding a card, comes back to the page it began on, which its URL names in `next`. The name goes
 * through pages of banks and providers, so it is checked wherever it is followed.
 */
const maxLength = 600;

/** Adds the page that a detour comes back to. */
export function withNext<P extends string>(href: P, next: string | undefined): P | `${P}${"?" | "&"}${string}` {
  if (!next || next.length > maxLength) return href;
  return `${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams({ next })}`;
}

/** Returns the page that a URL's detour comes back to: a page of the same portal, in the same mode, or undefined. */
export function detourNext(url: string, base: PortalBase): `/${string}` | undefined {
  const text = new URL(url, "http://site.invalid").searchParams.get("next");
  if (!text || text.length > maxLength) return undefined;
  const path = safeRedirectPath(text);
  if (!path) return undefined;
  const { pathname } = new URL(path, "http://site.invalid");
  const isTestMode = pathname.startsWith(`${base}/test-mode/`) || pathname === `${base}/test-mode`;
  return pathname.startsWith(`${base}/`) && !isTestMode ? `${base}/${path.slice(base.length + 1)}` : undefined;
}
