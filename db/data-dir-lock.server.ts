import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, StartError } from "#app/start-error.ts";

/**
 * Takes a lock that is a file with its holder's name. When the holder is dead (`kill -9`), or its number went to another
 * process, it counts no longer. Returns the release, or the process that holds it.
 */
export function takeLock(path: string): (() => void) | { heldBy: number } {
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) ?? null });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // A link fails when the file exists: of several at once one wins, and nobody reads a half-written lock.
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

/** One server process per DATA_DIR. Returns the release; throws a StartError while another server lives there. */
export function lockDataDir(dataDir: string): () => void {
  const taken = takeLock(join(dataDir, "server.lock"));
  if (typeof taken === "function") return taken;
  throw new StartError(`DATA_DIR: ${dataDir} is in use by another server (process ${taken.heldBy})`);
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

/** The living process that a lock names. */
function holder(path: string): number | undefined {
  const found = /^\{"pid":(\d+),"startedAt":"?(\w+)/.exec(read(path));
  const pid = Number(found?.[1]);
  const lives = found && pid !== process.pid && isRunning(pid) && (processStart(pid) ?? "null") === found[2];
  return lives ? pid : undefined;
}

/** Moves a dead holder's lock away. Returns the holder when somebody else was quicker. */
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

/** False for a zombie too: it holds nothing any more. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false;
  }
  return processStat(pid)?.state !== "Z";
}

/** When the process started, in the kernel's ticks; undefined where /proc does not exist. */
function processStart(pid: number): string | undefined {
  return processStat(pid)?.startedAt;
}

function processStat(pid: number): { state: string | undefined; startedAt: string | undefined } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, which may hold spaces; the 3rd is the state, the 22nd the start.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat ? { state: fields[0], startedAt: fields[19] } : undefined;
}
