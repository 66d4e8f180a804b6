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
  /** Resolves to its URL when it accepts connections. */
  url: () => Promise<string>;
  stop: () => Promise<void>;
};

type Options = {
  dataDir: string;
  onIncident: (incident: DatabaseIncident, error?: unknown) => void;
  /** Called when the database moved to another port because another program took its port. */
  onMoved: (url: string) => void;
};

const lookEveryMs = 500;
const probeEveryMs = 2_000;
const probeTimeoutMs = 2_000;
/**
 * How long it may accept no new connection, in milliseconds, before it is killed: a busy machine is slow but healthy.
 */
const hangMs = 20_000;

/**
 * Supervises the embedded database: restarts it whenever it ends, continues processes that were stopped, and kills it
 * when it accepts no new connections (docs/decisions/0053).
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
      // Cuts a running start short: the next start recovers the same data.
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

  /** Never gives up: a full disk, the usual reason, may have space again. */
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
  let [checkedAt, probedAt, lastResponseAt] = [now(), 0, now()];
  let probing = false;
  while (!stopping.aborted) {
    const running = livingPostmaster(folder);
    // Time in which this process itself did not run says nothing about the database.
    if (!running || now() - checkedAt > 4 * lookEveryMs) lastResponseAt = now();
    checkedAt = now();
    if (!running) {
      onIncident("database_ended");
      await restart();
      checkedAt = now();
      lastResponseAt = now();
    } else if (now() - lastResponseAt > hangMs) {
      onIncident("database_hangs");
      killDatabaseProcesses(folder);
    } else {
      if (continueStopped(running.pid) > 0) onIncident("database_continued");
      if (!probing && now() - probedAt >= probeEveryMs) {
        probing = true;
        probedAt = now();
        acceptsConnections(running.port, probeTimeoutMs).then((answered) => {
          if (answered) lastResponseAt = now();
          // The system does not report which processes are stopped.
          else continuePostmaster(running.pid);
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
