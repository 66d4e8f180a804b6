import { sharedState } from "#app/shared-state.ts";
import type { Database } from "../client.server.ts";
import { connectionTarget } from "../connection-target.server.ts";
import type { QueryLabel } from "../self-healing-pool.server.ts";
import { replicaTrouble } from "./replica-trouble.ts";
import { type ReplicaState, type WatchOptions, watchReplica } from "./watch-replica.server.ts";

/** Where a read that may be stale was answered, and why by the primary. */
export const staleReadSources = [
  "replica",
  "primary_replica_unfit",
  "primary_recent_change",
  "primary_replica_failed",
] as const;
export type StaleReadSource = (typeof staleReadSources)[number];

export type ReplicaOptions = WatchOptions & {
  onRead?: ((source: StaleReadSource) => void) | undefined;
  /** One second by default. */
  measureEveryMs?: number;
  /** Called when the replica becomes used or unfit. */
  onState?: ((state: ReplicaState, reason: string | undefined) => void) | undefined;
};

type Holder = {
  open?: Pick<ReplicaOptions, "onRead"> & { watch: ReturnType<typeof watchReplica>; stop: () => Promise<void> };
};

const holder = sharedState("replica", (): Holder => ({}));

/**
 * Servers set their clocks by NTP: what one wrote is dated by at most this much wrongly for another, in milliseconds.
 */
const clockDifferenceMs = 1_000;

/**
 * Opens the replica at DATABASE_REPLICA_URL for reads that may be stale, and measures its lag each second. One that is
 * down or unfit is not used until that changes. Resolves after the first measurement; throws a StartupError for an
 * invalid URL.
 */
export async function openReplica({
  onRead,
  onState,
  measureEveryMs = 1_000,
  ...options
}: ReplicaOptions): Promise<void> {
  connectionTarget(options.url, "DATABASE_REPLICA_URL");
  const state = holder();
  if (state.open) throw new Error("The replica is open already");
  const watch = watchReplica(options);
  let [reported, isClosed]: [ReplicaState | undefined, boolean] = [undefined, false];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const measure = async (): Promise<void> => {
    await watch.measure();
    if (isClosed) return;
    if (watch.state() !== reported) {
      reported = watch.state();
      onState?.(reported, watch.reason());
    }
    timer = setTimeout(() => {
      running = measure();
    }, measureEveryMs).unref();
  };
  state.open = {
    onRead,
    watch,
    async stop() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      await watch.close();
    },
  };
  running = measure();
  await running;
}

/** Does nothing when no replica is open. */
export async function closeReplica(): Promise<void> {
  const state = holder();
  const { open } = state;
  delete state.open;
  await open?.stop();
}

/** Returns whether a replica is configured. */
export function hasReplica(): boolean {
  return holder().open !== undefined;
}

export type ReplicaStatus = { state: ReplicaState; reason: string | undefined; lagMs: number | undefined };

/** Returns whether the replica is used and how far it is behind; undefined without one. */
export function replicaStatus(): ReplicaStatus | undefined {
  const watch = holder().open?.watch;
  return watch && { state: watch.state(), reason: watch.reason(), lagMs: watch.lagMs() };
}

type ReplicaRead = {
  /** What was committed before this moment has to be visible. */
  changedAt: Date | undefined;
  label: QueryLabel;
};

/**
 * Runs `read` in one read-only snapshot of the replica, with the moment up to which it has every commit. Undefined when
 * there is no replica, when it must not be used now, or when it failed for a reason of its own: then read from the
 * primary.
 */
export async function readFromReplica<T>(
  { changedAt, label }: ReplicaRead,
  read: (db: Database, asOf: Date) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const { open } = holder();
  if (!open) return undefined;
  const current = open.watch.current();
  const isRecent = current && changedAt && current.asOf.getTime() < changedAt.getTime() + clockDifferenceMs;
  if (!current || isRecent) {
    open.onRead?.(current ? "primary_recent_change" : "primary_replica_unfit");
    return undefined;
  }
  try {
    const result = await current.pool
      .database(label)
      .transaction((tx) => read(tx, current.asOf), { isolationLevel: "repeatable read", accessMode: "read only" });
    open.onRead?.("replica");
    return { result };
  } catch (error) {
    const trouble = replicaTrouble(error);
    if (!trouble) throw error;
    if (trouble === "unavailable") open.watch.suspend();
    open.onRead?.("primary_replica_failed");
    return undefined;
  }
}
