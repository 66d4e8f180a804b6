import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#app/env.server.ts";

export type TargetProblem = "not_https" | "refused_address";

/** How long a name's addresses are waited for, in milliseconds. */
const patience = 2_000;

/**
 * Why an address would never be asked: it is not https, or it is one of a private net or of this machine. For whoever types it:
 * what counts is judged at each connection. A name that cannot be looked up now has no problem. Development may ask anything.
 */
export async function checkTarget(
  url: URL,
  { allowPrivate = env().allowPrivateOutbound }: { allowPrivate?: boolean } = {},
): Promise<TargetProblem | undefined> {
  if (allowPrivate) return undefined;
  if (url.protocol !== "https:") return "not_https";
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ""));
  return addresses.every(isPublic) ? undefined : "refused_address";
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  const found = lookup(host, { all: true }).catch(() => []);
  const known = await Promise.race([found, sleep(patience, [], { ref: false })]);
  return known.map(({ address }) => address);
}

function isPublic(address: string): boolean {
  if (isIP(address) === 6) return publicNets.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return !reserved.check(address, "ipv4");
}

/** Where addresses of the public net are given out; all other IPv6 is for something else (RFC 4291, RFC 6890). */
const publicNets = new BlockList();
publicNets.addSubnet("2000::", 3, "ipv6");

const reserved = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  reserved.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const) {
  reserved.addSubnet(net, prefix, "ipv6");
}
