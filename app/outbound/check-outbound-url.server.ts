import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#app/env.server.ts";

export type OutboundUrlProblem = "not_https" | "refused_address";

/** The timeout of a DNS lookup, in milliseconds. */
const dnsTimeoutMs = 2_000;

/**
 * Returns why a URL is never requested: it is not https, or its address is private or local. For immediate feedback in
 * forms; every connection is checked again. A name that cannot be resolved now has no problem. Development allows all
 * addresses.
 */
export async function checkOutboundUrl(
  url: URL,
  { allowPrivate = env().allowPrivateOutbound }: { allowPrivate?: boolean } = {},
): Promise<OutboundUrlProblem | undefined> {
  if (allowPrivate) return undefined;
  if (url.protocol !== "https:") return "not_https";
  const addresses = await resolveAddresses(url.hostname.replace(/^\[|\]$/g, ""));
  return addresses.every(isPublic) ? undefined : "refused_address";
}

async function resolveAddresses(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  const resolved = lookup(host, { all: true }).catch(() => []);
  const known = await Promise.race([resolved, sleep(dnsTimeoutMs, [], { ref: false })]);
  return known.map(({ address }) => address);
}

function isPublic(address: string): boolean {
  if (isIP(address) === 6) return publicNets.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return !reserved.check(address, "ipv4");
}

/** The IPv6 range of global unicast addresses; all others have special purposes (RFC 4291, RFC 6890). */
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
