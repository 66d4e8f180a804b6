import { setTimeout as sleep } from "node:timers/promises";
import { restartPauses } from "#app/restart-pauses.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "./embedded.server.ts";
import {
  acceptsConnections,
  continuePostmaster,
  continueStopped,
  killDatabaseProcesses,
  livingPostmaster,
} from "./postmaster.server.ts";

type DatabaseIncident =
  | "database_ended"
  | "database_continued"
  | "database_hangs"
  | "database_restarted"
  | "database_does_not_start";

export type SupervisedDatabase = {
  /** Its URL, once it accepts connections. */
  url: () => Promise<string>;
  stop: () => Promise<void>;
};

type Options = {
  dataDir: string;
  onIncident: (incident: DatabaseIncident, error?: unknown) => void;
  /** Called when another program took its port meanwhile. */
  onMoved: (url: string) => void;
};

const lookEveryMs = 500;
const probeEveryMs = 2_000;
const probeTimeoutMs = 2_000;
/** So long it may answer no new connection before it is killed: on a busy machine it is slow and well. */
const hangMs = 20_000;

/**
 * The embedded database, started anew whenever it ends. Processes of it that were stopped are let run on, and it is killed
 * when it answers no new connection (docs/decisions/0053).
 */
export async function superviseEmbeddedDatabase({
  dataDir,
  onIncident,
  onMoved,
}: Options): Promise<SupervisedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir });
  const stopping = new AbortController();
  const restarts = restartsOf(database, { stopping: stopping.signal, onIncident, onMoved });
  const watched = watch(database.folder, { stopping: stopping.signal, onIncident, restart: restarts.restart });
  return {
    url: restarts.url,
    async stop() {
      stopping.abort();
      const ended = watched.then(() => true);
      // A start under way is cut short: the next one recovers what it would have.
      while (restarts.underWay() && !(await Promise.race([ended, sleep(100, false)]))) {
        killDatabaseProcesses(database.folder);
      }
      await watched;
      await database.stop();
    },
  };
}

type RestartOptions = Omit<Options, "dataDir"> & { stopping: AbortSignal };

function restartsOf(database: EmbeddedDatabase, { stopping, onIncident, onMoved }: RestartOptions) {
  const pauses = restartPauses();
  let [url, readyAt] = [database.url, now()];
  let underWay: Promise<void> | undefined;

  /** Does not give up: a full disk, the usual reason, may have room again. */
  async function untilStarted(): Promise<void> {
    for (let readyForMs = now() - readyAt; !stopping.aborted; readyForMs = 0) {
      try {
        await sleep(pauses.afterMs(readyForMs), undefined, { signal: stopping });
        const restarted = await database.restart();
        readyAt = now();
        onIncident("database_restarted");
        if (restarted !== url) onMoved(restarted);
        url = restarted;
        return;
      } catch (error) {
        if (!stopping.aborted) onIncident("database_does_not_start", error);
      }
    }
  }

  return {
    underWay: () => underWay !== undefined,
    async restart() {
      underWay = untilStarted();
      await underWay;
      underWay = undefined;
    },
    async url() {
      await underWay;
      return url;
    },
  };
}

type WatchOptions = { stopping: AbortSignal; onIncident: Options["onIncident"]; restart: () => Promise<void> };

async function watch(folder: string, { stopping, onIncident, restart }: WatchOptions): Promise<void> {
  let [lookedAt, probedAt, answeredAt] = [now(), 0, now()];
  let probing = false;
  while (!stopping.aborted) {
    const found = livingPostmaster(folder);
    // The time in which this process itself did not run says nothing about the database.
    if (!found || now() - lookedAt > 4 * lookEveryMs) answeredAt = now();
    lookedAt = now();
    if (!found) {
      onIncident("database_ended");
      await restart();
      lookedAt = now();
      answeredAt = now();
    } else if (now() - answeredAt > hangMs) {
      onIncident("database_hangs");
      killDatabaseProcesses(folder);
    } else {
      if (continueStopped(found.pid) > 0) onIncident("database_continued");
      if (!probing && now() - probedAt >= probeEveryMs) {
        probing = true;
        probedAt = now();
        acceptsConnections(found.port, probeTimeoutMs).then((answered) => {
          if (answered) answeredAt = now();
          // Where the system does not say which processes are stopped.
          else continuePostmaster(found.pid);
          probing = false;
        });
      }
    }
    await sleep(lookEveryMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}

function now(): number {
  return performance.now();
}
