import { type Cookie, createCookie } from "@remix-run/node";
import { signInAttemptTtlMs } from "#app/domain/accounts/sign-in/create-sign-in-attempt.server.ts";
import { deviceTtlMs } from "#app/domain/accounts/sign-in/device.ts";
import { sessionMaxAgeMs } from "#app/domain/accounts/sign-in/session.ts";
import { type Env, env } from "#app/env.server.ts";
import type { RequestHead } from "./request-head.ts";
import { signingKeys } from "./sign-in/signing-keys.server.ts";

/**
 * The lifetime of each cookie, in seconds, and whether it is signed. A secret that the database stores by hash needs no
 * signature, and with one, removing a session secret would end sessions (docs/decisions/0046).
 */
const cookies = {
  portal_session: { maxAge: sessionMaxAgeMs / 1000, isSigned: false },
  portal_sign_in: { maxAge: signInAttemptTtlMs / 1000, isSigned: true },
  portal_device: { maxAge: deviceTtlMs / 1000, isSigned: false },
  portal_flash: { maxAge: 60, isSigned: true },
  portal_draft: { maxAge: 24 * 60 * 60, isSigned: false },
  portal_banner: { maxAge: 7 * 24 * 60 * 60, isSigned: false },
  portal_theme: { maxAge: 400 * 24 * 60 * 60, isSigned: false },
  portal_changed: { maxAge: 600, isSigned: false },
  portal_shortcuts: { maxAge: 400 * 24 * 60 * 60, isSigned: false },
};

export type CookieName = keyof typeof cookies;

/**
 * Returns a cookie of the product: HttpOnly, SameSite=Lax, path `/`. On https it is Secure with the `__Host-` prefix,
 * so that no other host can set it; not on http, where Safari rejects Secure cookies even for localhost.
 */
export function portalCookie(name: CookieName): Cookie {
  const known = cookiesOfEnv.get(env()) ?? new Map<CookieName, Cookie>();
  const cookie = known.get(name) ?? makeCookie(name);
  cookiesOfEnv.set(env(), known.set(name, cookie));
  return cookie;
}

/** Every request reads cookies, and creating a Cookie object costs more than reading one. */
const cookiesOfEnv = new WeakMap<Env, Map<CookieName, Cookie>>();

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

/** Returns a cookie's value; undefined if it is missing or its signature is invalid. */
export async function readCookie(request: RequestHead, name: CookieName): Promise<string | undefined> {
  const value: unknown = await portalCookie(name).parse(request.headers.get("Cookie"));
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a `Set-Cookie` value. */
export function serializeCookie(name: CookieName, value: unknown): Promise<string> {
  return portalCookie(name).serialize(value);
}

export function expiredCookie(name: CookieName): Promise<string> {
  return portalCookie(name).serialize("", { maxAge: 0 });
}
