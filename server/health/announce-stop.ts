import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Readiness } from "./readiness.ts";

/**
 * Serves requests for some seconds more while `/readyz` is 503, so that load balancers notice before the port closes.
 * Each response ends its connection, so that clients which keep connections open leave as well. `hurry` cuts it short.
 */
export async function announceStop(
  server: Server,
  { readiness, seconds, hurry }: { readiness: Readiness; seconds: number; hurry: AbortSignal },
): Promise<void> {
  if (seconds === 0 || hurry.aborted) return;
  readiness.startDraining();
  server.prependListener("request", (_request, response) => void response.setHeader("Connection", "close"));
  await sleep(seconds * 1_000, undefined, { signal: hurry }).catch(() => undefined);
}
