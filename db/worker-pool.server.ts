import { Pool } from "pg";
import { connectionTarget, hostOf } from "./connection-target.server.ts";
import { askForTls } from "./ssl-request.ts";

/** The driver would wait forever for a server that accepts a connection and sends nothing, such as a proxy without its database. */
const connectionTimeoutMillis = 10_000;

/**
 * Opens the pool that graphile-worker uses, with the driver of its own and the same meaning of the URL as ours. It needs
 * sessions: it listens for jobs. The caller ends it.
 */
export async function openWorkerPool(databaseUrl: string, { max }: { max: number }): Promise<Pool> {
  const { url, tls } = connectionTarget(databaseUrl);
  const ssl = tls === "prefer" ? (await offersTls(new URL(url))) && { rejectUnauthorized: false } : tls;
  const pool = new Pool({ connectionString: url, ssl, max, connectionTimeoutMillis });
  // Without listeners, a lost connection that is idle would end the process; the worker notices it at its next query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/** Returns whether the server offers TLS; false if it does not respond, which the driver then reports. */
async function offersTls(url: URL): Promise<boolean> {
  const address = { host: hostOf(url) || "localhost", port: Number(url.port || 5432), timeoutMs: 4_000 };
  return (await askForTls(address)) === "S";
}
