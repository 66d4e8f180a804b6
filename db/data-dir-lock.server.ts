import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, StartupError } from "#app/startup-error.ts";

/**
 * Acquires a lock file that contains its holder's process id. A lock is stale when its holder has died (`kill -9`) or
 * its process id belongs to another process. Returns the release function, or the process that holds the lock.
 */
export function acquireFileLock(path: string): (() => void) | { heldBy: number } {
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) ?? null });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // Linking fails when the file exists, so only one of several concurrent processes succeeds, and nobody reads
    // a partial file.
    if (!link(draft, path)) {
      const heldBy = holder(path) ?? removeStale(path);
      if (heldBy !== undefined) return { heldBy };
      if (!link(draft, path)) return { heldBy: holder(path) ?? 0 };
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true });
  };
}

/**
 * Allows one server process per DATA_DIR. Returns the release function; throws a StartupError while another server uses
 * the directory.
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = acquireFileLock(join(dataDir, "server.lock"));
  if (typeof lock === "function") return lock;
  throw new StartupError(`DATA_DIR: ${dataDir} is in use by another server (process ${lock.heldBy})`);
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Returns the running process that holds a lock. */
function holder(path: string): number | undefined {
  const owner = /^\{"pid":(\d+),"startedAt":"?(\w+)/.exec(read(path));
  const pid = Number(owner?.[1]);
  const lives = owner && pid !== process.pid && isProcessRunning(pid) && (processStart(pid) ?? "null") === owner[2];
  return lives ? pid : undefined;
}

/** Removes a stale lock. Returns the holder when another process acquired it first. */
function removeStale(path: string): number | undefined {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const quicker = holder(aside);
  if (quicker !== undefined) link(aside, path);
  rmSync(aside, { force: true });
  return quicker;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** False for a zombie too, which holds no locks. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false;
  }
  return processStat(pid)?.state !== "Z";
}

/** Returns when the process started, in clock ticks; undefined where /proc does not exist. */
function processStart(pid: number): string | undefined {
  return processStat(pid)?.startedAt;
}

function processStat(pid: number): { state: string | undefined; startedAt: string | undefined } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the command's name in parentheses, which may contain spaces; the 3rd is the state, the 22nd
  // the start time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat ? { state: fields[0], startedAt: fields[19] } : undefined;
}
