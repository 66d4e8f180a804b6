import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { stopImports } from "#app/domain/running-imports.server.ts";
import { env } from "#app/env.server.ts";
import { errorCode, StartError } from "#app/start-error.ts";
import { log } from "#app/web/log.server.ts";
import { closeDatabase, database, openDatabase } from "#db/client.server.ts";
import { embeddedRoles, externalRoles } from "#db/database-roles.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { superviseEmbeddedDatabase } from "#db/supervised-database.server.ts";
import { createApp } from "./app.ts";
import { jobs, runJobs } from "./jobs.ts";
import { loadBuild } from "./load-build.ts";
import { isSupervised, tellReady } from "./supervisor-link.ts";
import { runTaskWorker } from "./task-worker.ts";
import { answerUnreadable } from "./unreadable.ts";
import { startWatchdog } from "./watchdog.ts";

type Undo = (() => unknown)[];

const clock = () => new Date();

type ServeOptions = {
  development: boolean;
  /** The embedded database's, when a supervisor keeps it. */
  embeddedUrl: Promise<string> | undefined;
};

/** Starts everything, in the order in which it depends on each other, and stops it in reverse on SIGTERM or SIGINT. */
export async function serve({ development, embeddedUrl }: ServeOptions): Promise<void> {
  logStrayErrors();
  const settings = env();
  const undo: Undo = [];
  const stop = stopOnce(undo);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
  try {
    const roles = settings.databaseUrl
      ? externalRoles(settings.databaseUrl)
      : embeddedRoles(await (embeddedUrl ?? startOwnDatabase(settings.dataDir, undo)));
    const url = roles.serverUrl;
    await refuseTakenPort(settings);
    await migrateDatabase(roles);
    openDatabase({ url, onIncident: (incident) => log.warn("database", { code: incident }) });
    undo.push(closeDatabase);
    if (settings.demoData) await seedDemo({ db: database(), clock });

    // Node's own answer to a request without a Host would lack our headers.
    const server = createServer({ connectionsCheckingInterval: 1_000, requireHostHeader: false });
    // Headers must come in 5 seconds. Node's time for whole requests is the server's; here each route has its own clock.
    server.headersTimeout = 5_000;
    server.requestTimeout = 0;
    server.on("clientError", answerUnreadable(settings));
    const app = createApp({ env: settings, ...(await routesOf({ development, server, undo })) });
    server.on("request", app);
    await listen(server, settings);
    undo.push(stopImports);
    undo.push(() => drain(server));
    if (settings.worker) {
      undo.push(runJobs(jobs, { db: database(), clock }));
      undo.push(runTaskWorker({ url, db: database(), clock }));
    }
    if (!development) startWatchdog({ ...settings.watchdog, logLevel: settings.logLevel, supervised: isSupervised() });
    console.info(`Endcap is at ${settings.publicUrl}`);
    tellReady();
  } catch (error) {
    await stop({ exit: false });
    throw error;
  }
}

/** Only development has Vite in the process, and only a build has all routes in it. */
async function routesOf({ development, server, undo }: { development: boolean; server: Server; undo: Undo }) {
  if (!development) return { build: await loadBuild() };
  const { startDevelopment } = await import("./development.ts");
  return startDevelopment(server, undo);
}

async function startOwnDatabase(dataDir: string, undo: Undo): Promise<string> {
  const onIncident = (incident: string, error?: unknown) => log.warn("database", { code: incident, error });
  const own = await superviseEmbeddedDatabase({ dataDir, onIncident, onMoved: () => onIncident("database_moved") });
  undo.push(own.stop);
  return await own.url();
}

function stopOnce(undo: Undo) {
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

/** Before the build, which may take a minute. */
async function refuseTakenPort(settings: { port: number; host: string }): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  await new Promise((resolve) => probe.close(resolve));
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<AddressInfo | string | null> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const code = errorCode(error);
      if (code === "EADDRINUSE") reject(new StartError(`PORT: ${port} on ${host} is in use by another program`));
      else if (code === "EACCES") reject(new StartError(`PORT: ${port} may not be opened by this user`));
      else reject(new StartError(`HOST: cannot listen on ${host} (${code})`));
    });
    server.listen(port, host, () => resolve(server.address()));
  });
}

/** Finishes the requests in flight, within 12 seconds; each has its own clock of 10. */
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

/** A defect in one request must not end the others: it is logged, and the process goes on. */
function logStrayErrors(): void {
  process.on("uncaughtException", (error) => log.error("uncaught exception", { error }));
  process.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
}
