import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { env } from "#app/env.server.ts";
import { errorCode } from "#app/startup-error.ts";
import { audienceStore, fileStorage } from "#app/storage/storage.server.ts";
import { pingDatabase } from "#db/client.server.ts";
import { countMissingMigrations } from "#db/migration-history.server.ts";
import { hasReplica, type ReplicaStatus, replicaStatus } from "#db/replica/replica.server.ts";
import type { TaskWorker } from "#server/jobs/task-worker.ts";
import { degradable, type PartCheck } from "./readiness.ts";

/** The space that incoming files need, in bytes. */
const minFreeBytes = 100 * 1024 * 1024;
/** The worker connects again every 5 seconds, and its connection may take 10. */
const workerDownMs = 20_000;

type WorkerConnection = Pick<TaskWorker, "downForMs">;

/** What a process that serves requests or runs jobs needs. `worker` is undefined when another process runs the jobs. */
export function partChecks({
  dataDir,
  worker,
}: {
  dataDir: string;
  worker: WorkerConnection | undefined;
}): Record<string, PartCheck> {
  return {
    database: checkDatabase,
    migrations: checkMigrations,
    storage: env().s3 ? degradable(checkStorage, withoutBucket()) : checkStorage,
    disk: () => checkDisk(dataDir),
    ...(worker && { worker: async () => checkWorker(worker) }),
    ...(hasReplica() && { replica: checkReplica }),
  };
}

/** The reason stays short: a driver's message may name hosts and roles. */
const checkDatabase: PartCheck = () =>
  pingDatabase().then(
    () => undefined,
    () => "the database is not responding",
  );

const checkMigrations: PartCheck = () =>
  countMissingMigrations().then(
    (missing) => (missing === 0 ? undefined : `not applied: ${missing} of this version's migrations`),
    () => "the database is not responding",
  );

/**
 * All servers have the same bucket, and most of what they serve does not need it: without it none of them leaves the
 * load balancer. A folder is of the server's own disk.
 */
function withoutBucket(): string {
  const people = audienceStore() === "objects" ? ", nor do the people of audiences" : "";
  return `creatives do not work${people}, everything else does`;
}

const checkStorage: PartCheck = async () => {
  await (await fileStorage()).check();
  return undefined;
};

async function checkDisk(dataDir: string): Promise<string | undefined> {
  try {
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    return free < minFreeBytes ? `DATA_DIR has ${Math.floor(free / 1024 / 1024)} MB free, of 100 needed` : undefined;
  } catch (error) {
    return `DATA_DIR cannot be written to (${errorCode(error)})`;
  }
}

function checkWorker(worker: WorkerConnection): string | undefined {
  const downMs = worker.downForMs();
  return downMs < workerDownMs ? undefined : `no connection for ${Math.floor(downMs / 1_000)} seconds`;
}

/** Without its replica a process reads everything from the primary. */
const checkReplica: PartCheck = async () => {
  const status = replicaStatus();
  return !status || status.state === "used" ? undefined : { degraded: describeReplica(status) };
};

function describeReplica({ state, reason, lagMs = 0 }: ReplicaStatus): string {
  const reasons: Record<typeof state, string> = {
    used: "it is used",
    replica_unreachable: "the replica is not responding",
    replica_not_in_recovery: "the database at DATABASE_REPLICA_URL is not a replica",
    replica_of_another_cluster: "the database at DATABASE_REPLICA_URL is a replica of another database server",
    replica_schema_behind: "the replica does not have all migrations of this version yet",
    replica_lags: `the replica is ${Math.round(lagMs / 1_000)} seconds behind`,
  };
  return `${reasons[state]}${reason ? ` (${reason})` : ""}; everything is read from DATABASE_URL`;
}
