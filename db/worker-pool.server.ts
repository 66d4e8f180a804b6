import { Socket } from "node:net";
import { Pool } from "pg";
import { connectionTarget, hostOf } from "./connection-target.server.ts";
import { askForTls } from "./ssl-request.ts";

/**
 * The driver would wait forever for a server that accepts a connection and sends nothing, such as a proxy without its
 * database.
 */
const connectionTimeoutMillis = 10_000;
/**
 * How long a connection without traffic, such as the one that listens for jobs, waits before it checks whether it is
 * lost.
 */
const keepAliveInitialDelayMillis = 10_000;

/**
 * The pool that graphile-worker uses. `disconnect` ends all of its connections, and fails what waits for a response on
 * them: after a network was cut without a word, TCP itself would wait a quarter of an hour for one.
 */
export type WorkerPool = { pool: Pool; disconnect: () => void };

/**
 * Opens graphile-worker's pool, with the driver of its own and the same meaning of the URL as ours. It needs sessions:
 * it listens for jobs. The caller ends it.
 */
export async function openWorkerPool(databaseUrl: string, { max }: { max: number }): Promise<WorkerPool> {
  const { url, tls } = connectionTarget(databaseUrl);
  const ssl = tls === "prefer" ? (await offersTls(new URL(url))) && { rejectUnauthorized: false } : tls;
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.on("close", () => void sockets.delete(socket));
  };
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis };
  const pool = new Pool({ connectionString: url, ssl, max, connectionTimeoutMillis, ...keepAlive, stream });
  // Without listeners, a lost connection that is idle would end the process; the worker notices it at its next query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { pool, disconnect };
}

/** Returns whether the server offers TLS; false if it does not respond, which the driver then reports. */
async function offersTls(url: URL): Promise<boolean> {
  const address = { host: hostOf(url) || "localhost", port: Number(url.port || 5432), timeoutMs: 4_000 };
  return (await askForTls(address)) === "S";
}
