import { readFileSync } from "node:fs";
import { z } from "zod";
import { readBacklog } from "#app/domain/backlog/read-backlog.server.ts";
import type { Env } from "#app/env.server.ts";
import { observers } from "#app/observability/observers.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { log } from "#app/web/log.server.ts";
import { database, withDeadline } from "#db/client.server.ts";
import { countKnownMigrations } from "#db/migration-history.server.ts";
import type { ReplicaOptions } from "#db/replica/replica.server.ts";
import type { ObserveQuery, PoolIncident } from "#db/self-healing-pool.server.ts";
import { observeQueries } from "./observe-queries.ts";
import type { Metrics, Program } from "./recorder.ts";

export type Observation = {
  /** Undefined when `/metrics` is off. */
  metrics: Metrics | undefined;
  /** How the process's pool is observed. */
  ofDatabase: { onIncident: (incident: PoolIncident) => void; observeQuery: ObserveQuery };
  /** How its replica is observed beyond that. */
  ofReplica: Pick<ReplicaOptions, "onRead" | "onState">;
  /** Sends the traces that have not been sent. */
  stop: () => Promise<void>;
};

/** The database has this long to respond to a scrape, in milliseconds. */
const backlogMs = 2_000;

/**
 * Starts what observes this process: metrics and traces if they are configured, and the log of slow queries. The
 * libraries of either are loaded only then. Call it before the database is opened.
 */
export async function observeProcess(
  program: Program,
  { metrics: metricsSettings, tracesEndpoint, slowQueryMs, dataDir }: Env,
): Promise<Observation> {
  const version = productVersion();
  const metrics =
    metricsSettings &&
    (await import("./metrics.ts")).openMetrics({
      program,
      build: { version, migrations: countKnownMigrations() },
      dataDir,
      readBacklog: () => readBacklog(withDeadline({ db: database() }, backlogMs)),
    });
  if (metrics) {
    observers().onLogLine = metrics.logLine;
    observers().onBounce = () => metrics.mailFeedback("bounce");
  }
  const traces =
    tracesEndpoint === undefined
      ? undefined
      : (await import("./traces.ts")).startTraces({ program, version, endpoint: tracesEndpoint });
  return {
    metrics,
    ofDatabase: {
      observeQuery: observeQueries({ slowQueryMs, metrics }),
      onIncident(incident) {
        log.warn("database", { code: incident });
        metrics?.databaseIncident(incident);
      },
    },
    ofReplica: {
      onRead: metrics?.staleRead,
      onState: (code, reason) => log[code === "used" ? "info" : "warn"]("replica", { code, reason }),
    },
    stop: async () => traces?.stop(),
  };
}

function productVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(projectFile("package.json"), "utf8"))).version;
}
