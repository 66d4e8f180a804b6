import { type Cookie, createCookie } from "@remix-run/node";
import { type Env, env } from "#app/env.server.ts";
import { signingKeys } from "./signing-keys.server.ts";

/**
 * Whether a cookie's value is signed. A secret that its row knows by a hash needs no signature, which would only let a
 * rotated session secret end sessions (docs/decisions/0046).
 */
const cookies = {
  portal_session: { isSigned: false },
  portal_sign_in: { isSigned: true },
  portal_device: { isSigned: false },
  portal_flash: { isSigned: true },
  portal_banner: { isSigned: false },
};

export type CookieName = keyof typeof cookies;

/**
 * The product's cookies: HttpOnly, SameSite=Lax, the whole site. On https Secure and with the `__Host-` prefix, so that no
 * other host can set them; not on http, where Safari refuses Secure cookies even for localhost.
 */
export function portalCookie(name: CookieName): Cookie {
  const known = made.get(env()) ?? new Map<CookieName, Cookie>();
  const cookie = known.get(name) ?? makeCookie(name);
  made.set(env(), known.set(name, cookie));
  return cookie;
}

/** Every request reads cookies, and making one costs more than reading it. */
const made = new WeakMap<Env, Map<CookieName, Cookie>>();

function makeCookie(name: CookieName): Cookie {
  const isHttps = env().publicUrl.startsWith("https:");
  return createCookie(isHttps ? `__Host-${name}` : name, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isHttps,
    secrets: cookies[name].isSigned ? signingKeys(`cookie ${name}`) : [],
  });
}

/** The text of a cookie; undefined when there is none, or none of ours. */
export async function readCookie(request: Request, name: CookieName): Promise<string | undefined> {
  const value: unknown = await portalCookie(name).parse(request.headers.get("Cookie"));
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A `Set-Cookie` value. */
export function writeCookie(name: CookieName, value: unknown, maxAgeSeconds: number): Promise<string> {
  return portalCookie(name).serialize(value, { maxAge: maxAgeSeconds });
}

export function clearCookie(name: CookieName): Promise<string> {
  return writeCookie(name, "", 0);
}
