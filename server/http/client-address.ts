import { isIP, isIPv6 } from "node:net";
import type { Request } from "express";

/**
 * Returns the network of a request, for rate limits: the right-most address of X-Forwarded-For that is not a trusted
 * proxy's; an IPv6 address by its /64, which is what one client gets. The header is ignored unless a trusted proxy sent
 * it.
 */
export function clientAddress({ ip = "", socket }: Pick<Request, "ip" | "socket">): string {
  const address = isIP(ip) ? ip : withoutPort(ip);
  return networkOf(isIP(address) ? address : (socket.remoteAddress ?? ""));
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = addressWithoutZone(address).split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const [before, after] = [groups(head), groups(tail ?? "")];
  const all = [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
  return `${all.slice(0, 4).join(":")}::/64`;
}

/** Returns the canonical form: lower case, no leading zeros, no part as an IPv4 address. */
function addressWithoutZone(address: string): string {
  return new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
}
