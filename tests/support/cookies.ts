import { type CookieName, writeCookie } from "#app/web/cookies.server.ts";

/** Name and value of one of the product's cookies, as a browser keeps and sends them. */
export async function cookiePair(name: CookieName, value: unknown): Promise<[name: string, value: string]> {
  const [pair = ""] = (await writeCookie(name, value)).split(";");
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** The `Cookie` header of whoever has this session token. */
export async function sessionCookie(token: string): Promise<string> {
  return (await cookiePair("portal_session", token)).join("=");
}
