import type { Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Each request has its own timeout of 10 seconds. */
const maxWaitMs = 12_000;
/** How long a connection may be open before its first request has been read. */
const firstRequestMs = 1_000;
const quietTurnMs = 10;
const maxQuietWaitMs = 2_000;

/**
 * Closes the port and waits for requests in flight. With `isDrained` no request is lost that a load balancer still
 * sent: the port closes when the system holds no connection that this process has not accepted, which would be reset,
 * and a connection without a request may still send one.
 */
export async function closeServer(server: Server, { isDrained }: { isDrained: boolean }): Promise<void> {
  server.prependListener("request", (_request, response) => void response.setHeader("Connection", "close"));
  if (isDrained) await quietTurn();
  const closed = new Promise((resolve) => server.close(resolve));
  const late = setTimeout(() => server.closeAllConnections(), maxWaitMs);
  if (isDrained) await Promise.race([closed, sleep(firstRequestMs)]);
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Waits for a short turn of the event loop: each accepts what has arrived, so little has arrived since. */
async function quietTurn(): Promise<void> {
  const start = performance.now();
  for (let before = start; ; ) {
    await nextTurn();
    const now = performance.now();
    if (now - before < quietTurnMs || now - start > maxQuietWaitMs) return;
    before = now;
  }
}
