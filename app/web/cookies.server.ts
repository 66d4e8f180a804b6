import { type Cookie, createCookie } from "@remix-run/node";
import { signInAttemptLife } from "#app/domain/accounts/begin-sign-in.server.ts";
import { deviceLife } from "#app/domain/accounts/device.ts";
import { sessionLife } from "#app/domain/accounts/session.ts";
import { type Env, env } from "#app/env.server.ts";
import { signingKeys } from "./signing-keys.server.ts";

/**
 * How long each lasts, in seconds, and whether it is signed. A secret that a row knows by its hash needs no signature, which
 * would only let a dropped session secret end sessions (docs/decisions/0046).
 */
const cookies = {
  portal_session: { maxAge: sessionLife / 1000, isSigned: false },
  portal_sign_in: { maxAge: signInAttemptLife / 1000, isSigned: true },
  portal_device: { maxAge: deviceLife / 1000, isSigned: false },
  portal_flash: { maxAge: 60, isSigned: true },
  portal_banner: { maxAge: 7 * 24 * 60 * 60, isSigned: false },
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
  const { maxAge, isSigned } = cookies[name];
  return createCookie(isHttps ? `__Host-${name}` : name, {
    maxAge,
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isHttps,
    secrets: isSigned ? signingKeys(`cookie ${name}`) : [],
  });
}

/** The text of a cookie; undefined when there is none, or none of ours. */
export async function readCookie(request: Request, name: CookieName): Promise<string | undefined> {
  const value: unknown = await portalCookie(name).parse(request.headers.get("Cookie"));
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A `Set-Cookie` value. */
export function writeCookie(name: CookieName, value: unknown): Promise<string> {
  return portalCookie(name).serialize(value);
}

export function clearCookie(name: CookieName): Promise<string> {
  return portalCookie(name).serialize("", { maxAge: 0 });
}
