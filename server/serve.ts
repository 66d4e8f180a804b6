import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { stopBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { env } from "#app/env.server.ts";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { log } from "#app/web/log.server.ts";
import { closeDatabase, database } from "#db/client.server.ts";
import { awaitDatabase, embeddedRoles, externalRoles, openServerDatabase } from "#db/database-roles.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { superviseEmbeddedDatabase } from "#db/supervised-database.server.ts";
import { createApp } from "./http/app.ts";
import { handleClientError } from "./http/client-error.ts";
import { jobs, startJobs } from "./jobs/jobs.ts";
import { startTaskWorker } from "./jobs/task-worker.ts";
import { loadBuild } from "./load-build.ts";
import { isSupervised, notifyReady } from "./supervisor/supervisor-link.ts";
import { startWatchdog } from "./supervisor/watchdog.ts";

type Undo = (() => unknown)[];

const clock = () => new Date();

type ServeOptions = {
  development: boolean;
  /** The URL of the embedded database, if a supervisor runs one. */
  embeddedUrl: Promise<string> | undefined;
};

/** Starts everything in dependency order, and stops it in reverse order on SIGTERM or SIGINT. */
export async function serve({ development, embeddedUrl }: ServeOptions): Promise<void> {
  logStrayErrors();
  const settings = env();
  const cleanups: Undo = [];
  const stop = createShutdown(cleanups);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
  try {
    const roles = settings.databaseUrl
      ? externalRoles(settings.databaseUrl)
      : embeddedRoles(await (embeddedUrl ?? startOwnDatabase(settings.dataDir, cleanups)));
    await requireFreePort(settings);
    await awaitDatabase(roles);
    await migrateDatabase(roles);
    await openServerDatabase(roles, (incident) => log.warn("database", { code: incident }));
    cleanups.push(closeDatabase);
    if (settings.demoData) await seedDemo({ db: database(), clock });

    // Node's own response to a request without Host would lack the security headers.
    const server = createServer({ connectionsCheckingInterval: 1_000, requireHostHeader: false });
    // Headers must arrive within 5 seconds. Node's request timeout applies to the whole server; here each route has its
    // own.
    server.headersTimeout = 5_000;
    server.requestTimeout = 0;
    server.on("clientError", handleClientError(settings));
    const app = createApp({ env: settings, ...(await loadRoutes({ development, server, undo: cleanups })) });
    server.on("request", app);
    await listen(server, settings);
    cleanups.push(stopBackgroundTasks);
    cleanups.push(() => drain(server));
    if (settings.worker) {
      cleanups.push(startJobs(jobs, { db: database(), clock }));
      cleanups.push(startTaskWorker({ url: roles.serverUrl, db: database(), clock }));
    }
    if (!development) startWatchdog({ ...settings.watchdog, logLevel: settings.logLevel, supervised: isSupervised() });
    console.info(`Endcap is running at ${settings.publicUrl}`);
    notifyReady();
  } catch (error) {
    await stop({ exit: false });
    throw error;
  }
}

/** Only development runs Vite in the process, and only a build contains all routes. */
async function loadRoutes({ development, server, undo }: { development: boolean; server: Server; undo: Undo }) {
  if (!development) return { build: await loadBuild() };
  const { startDevelopment } = await import("./dev-server.ts");
  return startDevelopment(server, undo);
}

async function startOwnDatabase(dataDir: string, undo: Undo): Promise<string> {
  const onIncident = (incident: string, error?: unknown) => log.warn("database", { code: incident, error });
  const own = await superviseEmbeddedDatabase({ dataDir, onIncident, onMoved: () => onIncident("database_moved") });
  undo.push(own.stop);
  return await own.url();
}

function createShutdown(undo: Undo) {
  let stopping: Promise<void> | undefined;
  return ({ exit = true } = {}) => {
    stopping ??= (async () => {
      for (const step of undo.reverse()) {
        try {
          await step();
        } catch (error) {
          log.error("stop failed", { error });
          process.exitCode = 1;
        }
      }
      if (exit) process.exit();
    })();
    return stopping;
  };
}

/** Checked before the build, which may take a minute. */
async function requireFreePort(settings: { port: number; host: string }): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * The maximum number of connections that wait to be accepted. With the default of 511, the system resets further
 * connections of a busy process whose requests could have received a 503. The system may allow fewer
 * (`net.core.somaxconn`).
 */
const backlog = 4_096;

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<AddressInfo | string | null> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const code = errorCode(error);
      if (code === "EADDRINUSE") reject(new StartupError(`PORT: ${port} on ${host} is already in use`));
      else if (code === "EACCES")
        reject(new StartupError(`PORT: this user does not have permission to use port ${port}`));
      else reject(new StartupError(`HOST: cannot listen on ${host} (${code})`));
    });
    server.listen({ port, host, backlog }, () => resolve(server.address()));
  });
}

/** Waits up to 12 seconds for requests in flight; each has its own timeout of 10. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.prependListener("request", (_request, response) => void response.setHeader("Connection", "close"));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), 12_000);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** A defect in one request must not end the others: stray errors are logged, and the process continues. */
function logStrayErrors(): void {
  process.on("uncaughtException", (error) => log.error("uncaught exception", { error }));
  process.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
}
