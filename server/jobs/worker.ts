import { existsSync } from "node:fs";
import { env } from "#app/env.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { log } from "#app/web/log.server.ts";
import { closeDatabase, pingDatabase } from "#db/client.server.ts";
import {
  awaitDatabase,
  embeddedRoles,
  externalRoles,
  openServerDatabase,
  openServerReplica,
} from "#db/database-roles.server.ts";
import { findEmbeddedDatabaseUrl } from "#db/embedded.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { closeReplica } from "#db/replica/replica.server.ts";
import { preloadRenderer } from "#server/disable-proto.ts";
import { closeServer } from "#server/health/close-server.ts";
import { createDataDir } from "#server/health/create-data-dir.ts";
import { createShutdown, type Undo } from "#server/health/create-shutdown.ts";
import { serveHealth } from "#server/health/health-endpoints.ts";
import { partChecks } from "#server/health/part-checks.ts";
import { openReadiness } from "#server/health/readiness.ts";
import { logStrayErrors } from "#server/log-stray-errors.ts";
import { sendMetrics } from "#server/observability/metrics-endpoint.ts";
import { observeProcess } from "#server/observability/observation.ts";
import { isSupervised, joinSupervisor, notifyReady } from "#server/supervisor/supervisor-link.ts";
import { startWatchdog } from "#server/supervisor/watchdog.ts";
import { endWork } from "./end-work.ts";
import { jobs, startJobs } from "./jobs.ts";
import { startTaskWorker, type TaskWorker } from "./task-worker.ts";

/**
 * `npm run worker`: sends mails and does all other background work, in its own process. Servers that leave this work to
 * it are started with `WORKER=off`. With `WORKER_HEALTH_PORT` it serves `/healthz` and `/readyz` there, and
 * `/metrics` if that is on.
 */
// biome-ignore lint/plugin/one-reader-of-the-environment: React reads NODE_ENV when it is imported.
process.env.NODE_ENV ??= "production";

const movedCheckMs = 2_000;

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  if (isSupervised()) joinSupervisor({ ownDatabase: () => false });
  logStrayErrors();
  await preloadRenderer();
  const settings = env();
  const { databaseUrl, dataDir, logLevel, logFormat, watchdog, workerHealthPort, host } = settings;
  const embeddedUrl = databaseUrl ? undefined : await findEmbeddedDatabaseUrl(dataDir);
  const roles = databaseUrl ? externalRoles(databaseUrl) : embeddedUrl && embeddedRoles(embeddedUrl);
  if (!roles)
    throw new StartupError(
      "DATABASE_URL: required unless a server with the embedded database is running on this machine",
    );
  createDataDir(dataDir);
  await awaitDatabase(roles);
  await migrateDatabase(roles);
  const cleanups: Undo = [];
  const { metrics, ofDatabase, ofReplica, stop: stopObserving } = await observeProcess("worker", settings);
  cleanups.push(stopObserving);
  const db = await openServerDatabase(roles, ofDatabase);
  cleanups.push(closeDatabase);
  await openServerReplica({ ...ofDatabase, ...ofReplica });
  cleanups.push(closeReplica);
  const stops: (() => Promise<void>)[] = [];
  cleanups.push(() => endWork(stops));
  let taskWorker: TaskWorker | undefined;
  // Before any work: a port that is in use ends this process.
  if (workerHealthPort !== undefined) {
    const connection = { downForMs: () => taskWorker?.downForMs() ?? 0 };
    const readiness = openReadiness(partChecks({ dataDir, worker: connection }));
    metrics?.watchReadiness(readiness);
    const send = metrics && sendMetrics(metrics, settings.metrics?.token);
    const server = await serveHealth(readiness, { port: workerHealthPort, host, sendMetrics: send });
    stops.push(() => closeServer(server, { isDrained: false }));
  }
  const work = { db, clock: () => new Date(), onRun: metrics?.jobEnded };
  taskWorker = startTaskWorker({ url: roles.serverUrl, ...work });
  stops.push(taskWorker.stop, startJobs(jobs, work));
  if (embeddedUrl) endWhenMoved(embeddedUrl, dataDir);
  startWatchdog({ ...watchdog, logLevel, logFormat, supervised: isSupervised() });
  const stop = createShutdown(cleanups);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
  console.info("Worker started");
  notifyReady();
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}

/**
 * Ends this process when the embedded database is back at another URL, as after each start of the server that runs it:
 * the supervisor starts the worker again, with that one. What this process was doing has lost its connection before. A
 * URL that cannot be read is logged, and read again.
 */
function endWhenMoved(url: string, dataDir: string): void {
  const check = async () => {
    const responds = await pingDatabase().then(
      () => true,
      () => false,
    );
    const current = responds ? undefined : await findEmbeddedDatabaseUrl(dataDir);
    if (current === undefined || current === url) return;
    log.warn("database", { code: "database_moved" });
    process.exit(1);
  };
  const report = (error: unknown) => log.warn("database", { code: "database_not_found", error });
  setInterval(() => void check().catch(report), movedCheckMs).unref();
}
