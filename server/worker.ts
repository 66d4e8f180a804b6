import { existsSync } from "node:fs";
import { env } from "#app/env.server.ts";
import { StartError } from "#app/start-error.ts";
import { log } from "#app/web/log.server.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { embeddedRoles, externalRoles } from "#db/database-roles.server.ts";
import { runningEmbeddedDatabase } from "#db/embedded.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { jobs, runJobs } from "./jobs.ts";
import { loadRenderer } from "./safe-prototypes.ts";
import { isSupervised, joinSupervisor, tellReady } from "./supervisor-link.ts";
import { runTaskWorker } from "./task-worker.ts";
import { startWatchdog } from "./watchdog.ts";

/**
 * `npm run worker`: sends mails and does all other work without a request, in a process of its own. Servers that leave it to
 * this one are started with `WORKER=off`.
 */
// biome-ignore lint/plugin/one-reader-of-the-environment: React reads NODE_ENV when it is imported.
process.env.NODE_ENV ??= "production";

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  if (isSupervised()) joinSupervisor({ ownDatabase: () => false });
  await loadRenderer();
  const { databaseUrl, dataDir, logLevel, watchdog } = env();
  const embeddedUrl = databaseUrl ? undefined : await runningEmbeddedDatabase(dataDir);
  const roles = databaseUrl ? externalRoles(databaseUrl) : embeddedUrl && embeddedRoles(embeddedUrl);
  if (!roles) throw new StartError("DATABASE_URL: required, unless a server with the embedded database runs here");
  await migrateDatabase(roles);
  const url = roles.serverUrl;
  const db = openDatabase({ url, onIncident: (incident) => log.warn("database", { code: incident }) });
  const clock = () => new Date();
  const stops = [runTaskWorker({ url, db, clock }), runJobs(jobs, { db, clock })];
  startWatchdog({ ...watchdog, logLevel, supervised: isSupervised() });
  const stop = async () => {
    await Promise.all(stops.map((end) => end()));
    await closeDatabase();
    process.exit();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
  console.info("The worker runs");
  tellReady();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
