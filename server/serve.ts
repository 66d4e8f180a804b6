import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { env } from "#app/env.server.ts";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { log } from "#app/web/log.server.ts";
import { closeDatabase, database } from "#db/client.server.ts";
import {
  awaitDatabase,
  embeddedRoles,
  externalRoles,
  openServerDatabase,
  openServerReplica,
} from "#db/database-roles.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { closeReplica } from "#db/replica/replica.server.ts";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { superviseEmbeddedDatabase } from "#db/supervised-database.server.ts";
import { announceStop } from "./health/announce-stop.ts";
import { closeServer } from "./health/close-server.ts";
import { createDataDir } from "./health/create-data-dir.ts";
import { createShutdown, type Undo } from "./health/create-shutdown.ts";
import { partChecks } from "./health/part-checks.ts";
import { openReadiness } from "./health/readiness.ts";
import { createApp } from "./http/app.ts";
import { handleClientError } from "./http/client-error.ts";
import { createMessageClasses } from "./http/message-classes.ts";
import { endWork } from "./jobs/end-work.ts";
import { jobs, serverJobs, startJobs } from "./jobs/jobs.ts";
import { startTaskWorker, type TaskWorker } from "./jobs/task-worker.ts";
import { loadBuild } from "./load-build.ts";
import { logStrayErrors } from "./log-stray-errors.ts";
import { sendMetrics, serveMetrics } from "./observability/metrics-endpoint.ts";
import { observeProcess } from "./observability/observation.ts";
import { isSupervised, notifyReady } from "./supervisor/supervisor-link.ts";
import { startWatchdog } from "./supervisor/watchdog.ts";

const clock = () => new Date();

type ServeOptions = {
  development: boolean;
  /** The URL of the embedded database, if a supervisor runs one. */
  embeddedUrl: Promise<string> | undefined;
};

/**
 * Starts everything in dependency order, and stops it in reverse order on SIGTERM or SIGINT. After SIGTERM it first
 * serves requests for `DRAIN_SECONDS` more; SIGINT comes from a person who waits.
 */
export async function serve({ development, embeddedUrl }: ServeOptions): Promise<void> {
  logStrayErrors();
  const settings = env();
  const cleanups: Undo = [];
  const stop = createShutdown(cleanups);
  const hurry = new AbortController();
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => {
    hurry.abort();
    void stop();
  });
  try {
    const roles = settings.databaseUrl
      ? externalRoles(settings.databaseUrl)
      : embeddedRoles(await (embeddedUrl ?? startOwnDatabase(settings.dataDir, cleanups)));
    await requireFreePort(settings);
    createDataDir(settings.dataDir);
    await awaitDatabase(roles);
    await migrateDatabase(roles);
    const { metrics, ofDatabase, ofReplica, stop: stopObserving } = await observeProcess("server", settings);
    cleanups.push(stopObserving);
    await openServerDatabase(roles, ofDatabase);
    cleanups.push(closeDatabase);
    await openServerReplica({ ...ofDatabase, ...ofReplica });
    cleanups.push(closeReplica);
    if (settings.demoData) await seedDemo({ db: database(), clock });

    // Node's own response to a request without Host would lack the security headers.
    const messages = createMessageClasses();
    const server = createServer({ connectionsCheckingInterval: 1_000, requireHostHeader: false, ...messages });
    // Headers must arrive within 5 seconds. Node's request timeout applies to the whole server; here each route has its
    // own.
    server.headersTimeout = 5_000;
    server.requestTimeout = 0;
    // Longer than proxies keep an idle connection, usually a minute: one that this side closes may carry a form at that
    // moment, which the proxy cannot send again.
    server.keepAliveTimeout = 75_000;
    server.on("clientError", handleClientError(settings));
    const routes = await loadRoutes({ development, server, undo: cleanups });
    const stops: (() => Promise<void>)[] = [];
    cleanups.push(() => endWork(stops));
    let taskWorker: TaskWorker | undefined;
    const connection = settings.worker ? { downForMs: () => taskWorker?.downForMs() ?? 0 } : undefined;
    const readiness = openReadiness(partChecks({ dataDir: settings.dataDir, worker: connection }));
    metrics?.watchReadiness(readiness);
    // Both ports before any work: one that is in use ends this process.
    if (metrics && settings.metrics?.port !== undefined) {
      const { token, port } = settings.metrics;
      const metricsServer = await serveMetrics(sendMetrics(metrics, token), { port, host: settings.host });
      cleanups.push(() => void metricsServer.close().closeAllConnections());
    }
    const app = createApp({ env: settings, readiness, messages, metrics, ...routes });
    server.on("request", app);
    await listen(server, settings);
    cleanups.push(() => closeServer(server, { isDrained: settings.drainSeconds > 0 && !hurry.signal.aborted }));
    cleanups.push(() => announceStop(server, { readiness, seconds: settings.drainSeconds, hurry: hurry.signal }));
    const work = { db: database(), clock, onRun: metrics?.jobEnded };
    if (settings.worker) {
      taskWorker = startTaskWorker({ url: roles.serverUrl, ...work });
      stops.push(taskWorker.stop);
    }
    const stopJobs = startJobs(settings.worker ? jobs : serverJobs, work);
    stops.push(stopJobs);
    // No job starts another run, and no further task begins. Those that run may take minutes, and must not keep the
    // port open.
    cleanups.push(() => {
      void stopJobs();
      void taskWorker?.stop();
    });
    const { logLevel, logFormat } = settings;
    if (!development) startWatchdog({ ...settings.watchdog, logLevel, logFormat, supervised: isSupervised() });
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
