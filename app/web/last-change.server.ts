import { hasReplica } from "#db/replica/replica.server.ts";
import { readCookie, serializeCookie } from "./cookies.server.ts";
import type { RequestHead } from "./request-head.ts";

/**
 * Notes in the browser when it last changed something, so that every server shows it its own changes although other
 * reads may be stale (docs/decisions/0097). Call it after the change. Requests that only read, and servers without a
 * replica, set nothing.
 */
export async function noteChange(request: RequestHead, headers: Headers): Promise<void> {
  if (!hasReplica() || request.method === "GET" || request.method === "HEAD") return;
  headers.append("Set-Cookie", await serializeCookie("portal_changed", String(Date.now())));
}

/**
 * Returns when the browser last changed something, by the clock of the server that did it. Undefined for long ago, and
 * without a replica.
 */
export async function readLastChange(request: RequestHead): Promise<Date | undefined> {
  const noted = hasReplica() ? await readCookie(request, "portal_changed") : undefined;
  return noted && /^\d{1,15}$/.test(noted) ? new Date(Number(noted)) : undefined;
}
