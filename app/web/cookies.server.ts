import { env } from "#app/env.server.ts";

/**
 * The product's cookies: HttpOnly, SameSite=Lax, the whole site. On https Secure and with the `__Host-` prefix, so that no
 * other host can set them; not on http, where Safari refuses Secure cookies even for localhost.
 */
export type CookieName = "portal_session" | "portal_sign_in" | "portal_device" | "portal_flash" | "portal_banner";

export function readCookie(request: Request, name: CookieName): string | undefined {
  const header = request.headers.get("Cookie") ?? "";
  const wanted = fullName(name);
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === wanted) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** A `Set-Cookie` value. The text holds cookie characters only: secrets and base64url are. */
export function writeCookie(name: CookieName, value: string, maxAgeSeconds: number): string {
  const secure = isHttps() ? "; Secure" : "";
  return `${fullName(name)}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

export function clearCookie(name: CookieName): string {
  return writeCookie(name, "", 0);
}

function fullName(name: CookieName): string {
  return isHttps() ? `__Host-${name}` : name;
}

function isHttps(): boolean {
  return env().publicUrl.startsWith("https:");
}
