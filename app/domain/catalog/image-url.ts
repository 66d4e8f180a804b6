/** A host name of letters and digits, as URLs have it also for other scripts (`xn--p1ai` for рф). No IP address. */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * Returns the URL of a product's image as browsers write it; null for one that the server does not fetch: it must begin
 * with https and have a host name, and no user name. Pure.
 */
export function parseImageUrl(text: string): string | null {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { hostname, href, username, password } = new URL(text);
  return hostName.test(hostname) && username === "" && password === "" ? href : null;
}
