import { type CookieName, serializeCookie } from "#app/web/cookies.server.ts";

/** Returns the name and value of one of the product's cookies, as a browser stores and sends them. */
export async function cookiePair(name: CookieName, value: unknown): Promise<[name: string, value: string]> {
  const [pair = ""] = (await serializeCookie(name, value)).split(";");
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** Returns the `Cookie` header for this session token. */
export async function sessionCookie(token: string): Promise<string> {
  return (await cookiePair("portal_session", token)).join("=");
}
